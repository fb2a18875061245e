// swift-tools-version:5.5
import PackageDescription

let package = Package(
  name: "Compass5",
  platforms: [.iOS(.v14)],
  products: [.executable(name: "Compass5", targets: ["Compass5"])],
  targets: [.executableTarget(name: "Compass5")]
)
