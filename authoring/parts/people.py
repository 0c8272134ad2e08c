"""Fictional people, companies and days, from a seed.

Given names are common ones of several cultures; surnames are drawn from another culture's list
half of the time, as in any large firm, and each is put together by dice: no real person is meant.
"""

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from authoring.parts.dice import Dice

_GIVEN = (
    "Adaeze Aiko Alice Amara Amélie Anders Anouk Aryan Astrid Ayse Baraka Beatriz Bilal Bram "
    "Camila Cédric Chidi Clara Daiki Danuta Dario Delphine Diego Divya Eamon Edda Elif Emeka "
    "Esra Eun-ji Farid Fatima Femke Finn Freya Giulia Goran Grace Hana Haruka Hassan Hye-jin "
    "Ibrahim Idris Ines Ingrid Isabel Ishaan Ivana Jaap Jelena Jin-woo João Jonas Kacper Kaito "
    "Kamala Kenji Klara Kwame Laila Lars Leïla Liam Linh Ludmila Maeve Magnus Malik Marit Mei "
    "Milan Minh Miriam Naledi Nikhil Nina Noor Olu Oskar Paolo Petra Pia Priya Rafael Ravi Rosa "
    "Runa Saanvi Sanjay Selma Signe Sofia Søren Tariq Tendai Thi Tomás Ulrike Valentina Vikram "
    "Wanjiru Wei Xin Yara Yasmin Yuki Zainab Zofia"
)
GIVEN = tuple(_GIVEN.split())
_SURNAMES = (
    "Abendroth Achterberg Adeyinka Albrecht Almqvist Amsalem Anjorin Aramaki Arrieta Asante "
    "Bakowski Balogun Barzani Belcourt Bhandari Birkeland Bjurman Boateng Brankovic Byun Calloway "
    "Castellano Chaudhary Chikwanha Czerny Dahlstrom Demirci Desrosiers Dlamini Dongen Ekberg "
    "Elmasry Engström Fairweather Farkas Feroz Fontaine Fukuhara Galindo Gao Gebremedhin Ghorbani "
    "Grimaldi Haldorsen Hashimi Hatanaka Hemelrijk Hlavac Iyengar Jankowiak Jeong Kamau Kaplanoglu "
    "Karvonen Khumalo Kobzar Kowalczuk Kuznik Lachance Lindqvist Lombardi Luong Macharia Malhotra "
    "Marchetti Mbatha Mehrotra Mikkelsen Morikawa Nagarkar Nakagawa Nasseri Nwankwo Obradovic "
    "Odhiambo Okonjo Olszewski Ostergaard Paasonen Pallister Papadakis Pereira Petrosyan Quiroga "
    "Radwan Rasmussen Rehman Rosenthal Sakellaris Santangelo Schuurman Sepúlveda Shirazi Sithole "
    "Sokolova Srinivasan Stavrou Szymanek Tadesse Takeuchi Thorvald Trinh Uchenna Vaillancourt "
    "Valdés Vermeer Wachira Wierzba Yamazato Yildirim Zamorano Zielonka"
)
SURNAMES = tuple(_SURNAMES.split())
_COMPANY = (
    "Aldermere Brackenfold Calverin Corvane Dunmarrow Elbringen Fennholt Galtrex Halden Ivermoor "
    "Jessamund Kelloran Lindwick Mirelle Norvance Ostrelle Pellworth Quarrane Rosmerta Sallowby "
    "Tarnholm Ulverston-Gray Veldran Wexmere Yarrowgate Zephyrine"
)
COMPANY = tuple(_COMPANY.split())


class Person(msgspec.Struct, frozen=True):
    given: str
    surname: str

    @property
    def name(self) -> str:
        return f"{self.given} {self.surname}"

    @property
    def formal(self) -> str:
        """`Surname, Given`, as in registers."""
        return f"{self.surname}, {self.given}"


def people(dice: Dice, n: int, plain: bool = False) -> tuple[Person, ...]:
    """n people, no two of whom share given name or surname; `plain`: letters of ASCII only."""
    given = [name for name in GIVEN if name.isascii() or not plain]
    surnames = [name for name in SURNAMES if name.isascii() or not plain]
    pairs = zip(dice.sample(given, n), dice.sample(surnames, n), strict=True)
    return tuple(Person(first, last) for first, last in pairs)


def company(dice: Dice, trades: Sequence[str]) -> str:
    """`Halden Optics`, of the trades that fit the task."""
    return f"{dice.pick(COMPANY)} {dice.pick(trades)}"


def month_end(day: date) -> date:
    """The last day of its month."""
    first = day.replace(day=1)
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def working_days(first: date, last: date, holidays: Sequence[date] = ()) -> tuple[date, ...]:
    """Mondays to Fridays from first to last, both included, without the holidays."""
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return tuple(day for day in days if day.weekday() < 5 and day not in holidays)


def day_in(dice: Dice, first: date, last: date) -> date:
    """A day from first to last, both included."""
    return first + timedelta(days=dice.below((last - first).days + 1))


def working_day_in(dice: Dice, first: date, last: date, holidays: Sequence[date] = ()) -> date:
    return dice.pick(working_days(first, last, holidays))
