// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "LodestarBenchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Lodestar", path: "..")],
  targets: [
    .target(name: "CAllocationCounter"),
    .executableTarget(
      name: "lodestar-bench",
      dependencies: [
        "CAllocationCounter", .product(name: "LodestarCore", package: "Lodestar"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
