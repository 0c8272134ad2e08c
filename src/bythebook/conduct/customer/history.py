"""What one customer has heard, been shown, told and done so far in one conversation."""

import msgspec

from bythebook.conduct.customer.hands import CustomerHands, Said, Turn
from bythebook.conduct.customer.marks import Marks
from bythebook.conduct.customer.scenario import Fact, Scenario
from bythebook.conduct.customer.scripted import is_question
from bythebook.conduct.search import words


class History:
    """The memory of the protocol checks; it holds nothing that the model said of itself."""

    def __init__(self, scenario: Scenario, request: str) -> None:
        self._scenario = scenario
        file = scenario.file
        self.private = {fact.id for fact in file.private}
        self.asked: set[str] = {fact.id for fact in file.public}
        """Facts that may be told: public ones, and those that the agent has asked for."""
        self.recalled: set[str] = set()
        """Facts that the trace shows as called to mind."""
        self.viewed: set[str] = set()
        """Requests whose terms the customer has seen."""
        self.puzzled = 0
        """Questions of the agent that asked for nothing the customer knows."""
        self._facts = {id: Marks.of(fact.says) for id, fact in scenario.facts.items()}
        opening = Marks.of(f"{request}\n{file.who}\n{' '.join(scenario.lines.values())}")
        public = [self._facts[fact.id] for fact in file.public]
        self._opening = opening
        self.open = opening
        """Marks of all that is no secret: the request, public facts, what the agent wrote, rows."""
        for marks in public:
            self.open |= marks
        self.known = opening | Marks.of_data(file)
        """Marks of all that the customer can know of."""

    def hear(self, turn: Turn) -> None:
        """The agent wrote, or filed a request."""
        if not isinstance(turn, Said):
            self.see(turn.request)
            return
        stems = words(turn.text)
        found = {id for id, fact in self._scenario.facts.items() if fact.elicited(stems)}
        self.asked |= found
        self.puzzled += not found and is_question(turn.text)
        self._add(Marks.of(turn.text))

    def see(self, shown: object) -> None:
        """The customer was shown something by a tool."""
        self._add(Marks.of_data(shown))

    def remember(self, hands: CustomerHands) -> None:
        """The story's day and hour, which a customer may say."""
        world = hands.world
        self.known |= Marks.of(f"{world.day} {world.clock_at(world.t)}")

    def gives_away(self, said: Marks) -> list[str]:
        """Private facts that nobody has asked for and that `said` tells."""
        secret = sorted(self.private - self.asked)
        return [id for id in secret if self._facts[id].without(self.open).tells(said)]

    def tells(self, said: Marks) -> list[Fact]:
        """Facts that may be told and that `said` tells."""
        return [
            fact
            for id, fact in self._scenario.facts.items()
            if id in self.asked and self._facts[id].without(self._opening).tells(said)
        ]

    def _add(self, marks: Marks) -> None:
        self.open |= marks
        self.known |= marks


def terms(value: object) -> str:
    """A row or other result, as the customer reads it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
