"""The orders of `valar`, as declarations: parsing, suggestions, help and guide come from here."""

from rules.valar.orders.directing import DIRECTOR_ORDERS
from rules.valar.orders.missions import HOUSE_ORDERS

ORDERS = (*HOUSE_ORDERS, *DIRECTOR_ORDERS)

__all__ = ["ORDERS"]
