// swift-tools-version: 6.0
import PackageDescription

/// A separate package: swift-syntax is large, and no other target needs it.
let package = Package(
  name: "PortCheck",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "lodestar-port-check", targets: ["lodestar-port-check"])],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .target(
      name: "PortRules",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
      ]),
    .executableTarget(
      name: "lodestar-port-check",
      dependencies: [
        "PortRules", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "PortRulesTests", dependencies: ["PortRules"]),
  ],
  swiftLanguageModes: [.v6]
)
