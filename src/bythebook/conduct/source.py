"""What an agent can find: the company's documents, tools and records, as a condition allows."""

from dataclasses import dataclass

from bythebook.conduct.company import Company
from bythebook.conduct.counter import BASE, DocumentHit, ToolHit, no_such
from bythebook.conduct.world import Row
from bythebook.tool import Refused, Tool


@dataclass(frozen=True)
class CompanySource:
    """Everything the company has, unless a source is switched off by name."""

    company: Company
    without: frozenset[str] = frozenset()
    """`documents` and `tool-search` can be switched off (paper: information ablations)."""

    def find_documents(self, query: str) -> tuple[DocumentHit, ...]:
        self._open("documents")
        library = self.company.library.documents
        fronts = (library[name].front for name in self.company.document_index.find(query))
        return tuple(DocumentHit(f.id, f.title, f.kind) for f in fronts)

    def document(self, id: str) -> str:
        self._open("documents")
        documents = self.company.library.documents
        if id not in documents:
            raise no_such("document", id, list(documents))
        return documents[id].text

    def find_tools(self, query: str) -> tuple[ToolHit, ...]:
        self._open("tool-search")
        tools = (self.company.tools[name] for name in self.company.tool_index.find(query))
        return tuple(ToolHit(t.name, t.desk, t.summary) for t in tools)

    def tool(self, name: str) -> Tool:
        if name in BASE:
            return BASE[name]
        if name not in self.company.tools:
            raise no_such("tool", name, list(self.company.tools))
        return self.company.tools[name]

    def table(self, name: str) -> type[Row]:
        kinds = {k: kind for k, kind in self.company.kinds.items() if not kind.private}
        if name not in kinds:
            raise Refused(f"there is no table {name!r}; tables are: {', '.join(sorted(kinds))}")
        return kinds[name]

    def _open(self, source: str) -> None:
        if source in self.without:
            raise Refused(f"{source} cannot be searched in this run")
