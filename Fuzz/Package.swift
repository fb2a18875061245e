// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "LodestarFuzz",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Lodestar", path: "..")],
  targets: [
    .target(name: "CFuzz"),
    // Links only with `--sanitize fuzzer`, which brings the entry point: see `run`.
    .executableTarget(
      name: "lodestar-fuzz",
      dependencies: ["CFuzz", .product(name: "FuzzTargets", package: "Lodestar")]),
  ],
  swiftLanguageModes: [.v6]
)
