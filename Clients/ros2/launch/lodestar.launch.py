"""ros2 launch lodestar_ros lodestar.launch.py namespace:=boat frame_id:=imu_link"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = {
    "namespace": ("", "of the topics"),
    "socket": ("", "the daemon's socket; the usual one if empty"),
    "frame_id": ("base_link", "frame of the board's axes"),
    "interval": ("0.0", "least seconds between two messages of a topic"),
}


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=value, description=text)
        for name, (value, text) in ARGUMENTS.items()
    ]
    node = Node(
        package="lodestar_ros",
        executable="lodestar_node",
        namespace=LaunchConfiguration("namespace"),
        output="screen",
        respawn=True,
        respawn_delay=2.0,
        parameters=[
            {
                "socket": ParameterValue(LaunchConfiguration("socket"), value_type=str),
                "frame_id": ParameterValue(LaunchConfiguration("frame_id"), value_type=str),
                "interval": ParameterValue(LaunchConfiguration("interval"), value_type=float),
            }
        ],
    )
    return LaunchDescription([*declared, node])
