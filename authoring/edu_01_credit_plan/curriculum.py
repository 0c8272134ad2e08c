"""The draft curriculum: what stands in which semester, who teaches it, what builds on what."""

import msgspec


class Module(msgspec.Struct, frozen=True, kw_only=True):
    code: str
    title: str
    semester: int
    where: str
    """both, Treatment, Monitoring or elective."""
    credits: int
    practice: int
    """Credits of it that are practice."""
    lecture: int
    seminar: int
    lab: int
    """Teaching units a week."""
    block: str
    """'', or H1 or H2: half a semester."""
    room: str
    lead: str
    deputy: str
    needs: tuple[str, ...]
    """Prerequisites."""
    shared: bool = False
    """Stands in the plan under both pathways, and is one module."""
    withdrawn: bool = False

    @property
    def year(self) -> int:
        return (self.semester + 1) // 2

    @property
    def units(self) -> int:
        return self.lecture + self.seminar + self.lab

    def stands_in(self, pathway: str) -> bool:
        return self.where in ("both", pathway)


_PLAN = """
W101|Mathematics I|1|both|6|0|3|2|0|||1|2|
W102|General Chemistry|1|both|6|2|3|1|2||Lab A|0|4|
W103|Physics for Engineers|1|both|5|0|3|1|0|||2|1|
W104|Water Cycle and Hydrology|1|both|5|0|3|1|0|||3|9|
W105|Academic Work and Writing|1|both|3|0|0|4|0|H1||8|7|
W106|Laboratory Practice|1|both|5|4|1|0|6|H2|Lab B|4|0|W105
W201|Mathematics II and Statistics|2|both|6|0|3|2|0|||1|2|W101
W202|Analytical Chemistry|2|both|6|2|3|0|3||Lab A|0|2|W102
W203|Microbiology of Water|2|both|6|2|3|0|3||Lab B|4|0|W106
W204|Fluid Mechanics|2|both|5|0|3|1|0|||2|1|W101,W103
W205|Environmental Law|2|both|4|0|2|1|0|||7|8|
W206|Programming for Engineers|2|both|3|0|0|4|0|H2||1|9|
W301|Unit Operations|3|both|6|2|3|1|2||Lab C|2|5|W204
W302|Hydrogeology|3|both|5|0|3|1|0|||3|10|W104
W303|Instrumental Analysis|3|both|6|2|2|0|4||Lab A|0|4|W202
W304|Soil and Sediment|3|both|5|1|2|0|2||Field|6|3|W104
W305|Project Management|3|both|3|0|0|4|0|H1||8|7|
W306|Geodata and Mapping|3|both|5|1|2|0|2||Computer room|1|9|W206
W307|Scientific Computing|3|both|5|1|2|0|2||Computer room|9|1|W206
W401|Water Quality Management|4|both|6|0|3|2|0|||10|5|W203,W402
W402|Process Sensors and Control|4|both|5|1|2|0|2||Lab C|9|2|W301
T41|Drinking Water Treatment|4|Treatment|6|2|3|0|2||Lab C|5|10|W301
T42|Waste Water Treatment|4|Treatment|5|2|2|0|2||Lab B|10|5|W203
T43|Plant Operation|4|Treatment|3|2|0|0|5|H1|Lab C|5|10|W301
M41|Field Sampling|4|Monitoring|5|3|1|0|4||Field|6|3|W106
M42|Ecotoxicology|4|Monitoring|5|1|2|1|1||Lab B|4|6|W203
E41|Urban Drainage|4|elective|5|1|2|2|0|||3|10|W204
E42|Micropollutants|4|elective|5|1|2|0|2||Lab A|0|4|W303
E43|Water Policy|4|elective|5|0|0|4|0|||7|8|W205
W501|Environmental Economics|5|both|5|0|2|2|0|||7|8|
W502|Quality and Safety|5|both|4|0|0|5|0|H1||8|7|T43
T51|Membranes and Oxidation|5|Treatment|6|1|3|0|2||Lab C|5|10|T41
T52|Sludge and Energy|5|Treatment|5|0|3|1|0|||10|5|T42
T53|Plant Design Project|5|Treatment|5|2|1|4|0|||5|2|T51
M51|Monitoring Networks|5|Monitoring|6|1|3|2|0|||3|6|W302
M52|Remote Sensing of Water|5|Monitoring|6|0|3|0|2||Computer room|9|1|W306
M53|Field Project|5|Monitoring|8|4|1|0|6||Field|6|3|M41
E51|Industrial Water|5|elective|5|1|2|2|0|||10|5|W301
E52|Smart Metering|5|elective|5|1|2|0|2||Computer room|9|1|W402
E53|Groundwater Modelling|5|elective|5|0|2|1|1||Computer room|2|3|W302
W601|Placement|6|both|15|15|0|1|0|||10|5|
W602|Bachelor Thesis|6|both|12|0|0|0|0|||5|10|
W603|Colloquium|6|both|3|0|0|2|0|||8|7|W105
"""
SHARED, WITHDRAWN = "W402", "W307"
"""The module that stands under both pathways; the one that was taken out."""


def _module(line: str) -> Module:
    code, title, semester, where, credits, practice, *rest = line.split("|")
    lecture, seminar, lab, block, room, lead, deputy, needs = rest
    return Module(
        code=code,
        title=title,
        semester=int(semester),
        where=where,
        credits=int(credits),
        practice=int(practice),
        lecture=int(lecture),
        seminar=int(seminar),
        lab=int(lab),
        block=block,
        room=room,
        lead=lead,
        deputy=deputy,
        needs=tuple(needs.split(",")) if needs else (),
        shared=code == SHARED,
        withdrawn=code == WITHDRAWN,
    )


MODULES = tuple(_module(line) for line in _PLAN.strip().splitlines())
"""Teachers as numbers, until a world names them."""

COMPETENCES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("K1", "Science and mathematics", ("W101", "W103", "W201")),
    ("K2", "Laboratory analysis", ("W202", "W303", "M42", "E42")),
    ("K3", "Treatment processes", ("W301", "T41", "T51")),
    ("K4", "Sensors and data", ("W402", "M52", "E52", "W307")),
    ("K5", "Law and safety", ("W205", "W307", "E43")),
    ("K6", "Field and site work", ("W304", "W106", "M41", "M53")),
    ("K7", "Projects and teams", ("W305", "T53", "M53")),
    ("K8", "Writing and presenting", ("W602", "W603", "W105")),
)
"""Name, meaning, the modules that assess it."""
