"""What the network that finds cubes says of every cell of a picture; nothing here draws or runs."""

COLOURS = ("yellow", "blue", "brown", "grey", "black", "white", "red")
"""The six colours of clues, and the victims' red, in the network's order."""

STRIDE = 4
"""Pixels of the searched picture to a cell."""

HEAT, SIDE, PLACE, COLOUR, FLOOR, HOLE, HOLE_SIDE, HAND = 0, 1, 2, 4, 11, 12, 13, 14
"""Channels: logit that the middle of a cube's upper side is here, natural logarithm of the side in cells,
its x and y in cells, seven logits of colours, logit that it lies on the floor with the hole, logit that the
hole's middle is here, logarithm of the hole's side, logit of a hand or sleeve."""

CHANNELS = 15
