"""Heading, attitude and location of the Lodestar daemon as topics of ROS 2."""
