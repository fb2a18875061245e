// swift-tools-version: 6.0
import PackageDescription

// Targets with the same names as Lodestar's.
let package = Package(
  name: "Compass6",
  platforms: [.iOS(.v18)],
  targets: [
    .target(name: "Quantities"),
    .target(name: "Pipeline", dependencies: ["Quantities"]),
    .executableTarget(name: "Compass6", dependencies: ["Pipeline"]),
  ]
)
