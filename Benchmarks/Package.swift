// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "LodestarBenchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Lodestar", path: "..")],
  targets: [
    .target(name: "CAllocationCounter"),
    .target(name: "CFieldSplitter"),
    .executableTarget(
      name: "lodestar-bench",
      dependencies: [
        // LodestarCore brings the drivers too, CoreLocation the board's engine.
        "CAllocationCounter", "CFieldSplitter",
        .product(name: "LodestarCore", package: "Lodestar"),
        .product(name: "CoreLocation", package: "Lodestar"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
