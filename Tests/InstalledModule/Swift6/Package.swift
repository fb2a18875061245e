// swift-tools-version: 6.0
import PackageDescription

// Targets of its own whose names Lodestar's have too.
let package = Package(
  name: "Compass6",
  platforms: [.iOS(.v18)],
  targets: [
    .target(name: "Quantities"),
    .target(name: "Engine", dependencies: ["Quantities"]),
    .executableTarget(name: "Compass6", dependencies: ["Engine"]),
  ]
)
