"""What an agent can find: the company's documents, tools and records, as a condition allows."""

from dataclasses import dataclass

from bythebook.conduct.company import Company
from bythebook.conduct.counter import BASE, DocumentHit, ToolHit, no_such
from bythebook.conduct.world import Row
from bythebook.tool import Refused, Tool


@dataclass(frozen=True)
class Switch:
    """A source of information that can be switched off (paper: information ablations)."""

    tools: tuple[str, ...] = ()
    """Base tools that are not offered without it, and refuse."""
    says: str = ""
    """What the agent is told when it is off."""


SOURCES = {
    "documents": Switch(
        ("search_documents", "read_document"), "Documents can neither be searched nor read."
    ),
    "records": Switch(("query_records",), "Records cannot be listed."),
    "sop": Switch(),
    "tool-search": Switch(
        ("search_tools",), "Business tools cannot be searched; what is named can be described."
    ),
}
"""`sop` is the task's procedure, which opens the agent's context."""
NO_SOURCES: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CompanySource:
    """Everything the company has, unless a source is switched off by name."""

    company: Company
    without: frozenset[str] = NO_SOURCES

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
        return tuple(ToolHit(t.name, t.desk, t.summary, t.retired) for t in tools)

    def tool(self, name: str) -> Tool:
        if name in BASE:
            return BASE[name]
        if name not in self.company.tools:
            raise no_such("tool", name, list(self.company.tools))
        return self.company.tools[name]

    def table(self, name: str) -> type[Row]:
        self._open("records")
        kinds = {k: kind for k, kind in self.company.kinds.items() if not kind.private}
        if name not in kinds:
            raise Refused(f"there is no table {name!r}; tables are: {', '.join(sorted(kinds))}")
        return kinds[name]

    def _open(self, source: str) -> None:
        if source in self.without:
            raise Refused(SOURCES[source].says)
