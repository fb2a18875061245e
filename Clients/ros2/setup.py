from setuptools import setup

setup(
    name="lodestar_ros",
    version="1.1.0",
    description="Heading, attitude and location of the Lodestar daemon as topics of ROS 2",
    license="Apache-2.0",
    packages=["lodestar_ros"],
    python_requires=">=3.9",
    install_requires=["setuptools", "lodestar-location"],
    extras_require={"rosbridge": ["websockets>=10"]},
    data_files=[
        ("share/ament_index/resource_index/packages", ["resource/lodestar_ros"]),
        ("share/lodestar_ros", ["package.xml"]),
        ("share/lodestar_ros/launch", ["launch/lodestar.launch.py"]),
    ],
    zip_safe=True,
    entry_points={
        "console_scripts": [
            "lodestar_node = lodestar_ros.node:main",
            "lodestar-rosbridge = lodestar_ros.rosbridge:main",
        ]
    },
)
