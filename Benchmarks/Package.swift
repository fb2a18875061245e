// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "LodestarBenchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Lodestar", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(name: "CAllocationCounter"),
    .target(name: "CFieldSplitter"),
    .target(
      name: "RecordedTrials", dependencies: [.product(name: "LodestarCore", package: "Lodestar")]),
    .target(name: "Study", dependencies: ["RecordedTrials"]),
    .executableTarget(
      name: "lodestar-bench",
      dependencies: [
        // LodestarCore brings the drivers too, CoreLocation the board's engine.
        "CAllocationCounter", "CFieldSplitter", "RecordedTrials",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "CoreLocation", package: "Lodestar"),
      ]),
    .executableTarget(
      name: "heading-study",
      dependencies: [
        "RecordedTrials", "Study",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "position-study",
      dependencies: [
        "RecordedTrials", "Study",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "proof-study",
      dependencies: [
        "RecordedTrials", "Study",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "calibration-study",
      dependencies: [
        "RecordedTrials", "Study",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
