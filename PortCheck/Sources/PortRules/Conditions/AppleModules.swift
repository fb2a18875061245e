/// The modules of Apple's platforms.
enum AppleModules {
  /// The modules that Linux has too, including Lodestar's.
  static let common: Set<String> = [
    "CoreLocation", "Dispatch", "Distributed", "Foundation", "FoundationEssentials", "Observation",
    "Swift", "Synchronization", "Testing", "XCTest", "_Concurrency", "_StringProcessing",
    "RegexBuilder",
  ]

  /// Specific advice for a missing module.
  private static let advice: [String: String] = [
    "UIKit": "there are no views here; keep what uses it in '#if canImport(UIKit)'",
    "AppKit": "there are no views here; keep what uses it in '#if canImport(AppKit)'",
    "SwiftUI": "there are no views here; keep what uses it in '#if canImport(SwiftUI)'",
    "MapKit": "there are no maps here; the CL… types are CoreLocation's, MK… types are not here",
    "Combine": "use OpenCombine, or an AsyncSequence as CLLocationUpdate.liveUpdates()",
    "Contacts": "for postal addresses take Lodestar's product Contacts, else leave it out",
    "CoreMotion": "attitude and heading are CLHeading's and its extensions'",
    "CoreBluetooth": "for beacons CLLocationManager ranges without it",
    "os": "log with swift-log",
    "OSLog": "log with swift-log",
    "Darwin": "import Glibc, or Foundation, which has most of it",
    "CoreGraphics": "CGFloat, CGPoint and CGSize are Foundation's here",
    "QuartzCore": "time a monotonic clock with ContinuousClock",
    "UserNotifications": "notify the user by other means",
    "BackgroundTasks": "let a systemd timer start the program",
    "CoreLocationUI": "there is no button; call requestWhenInUseAuthorization()",
    "CryptoKit": "use swift-crypto, whose module is Crypto",
    "Network": "use Foundation's URLSession, or SwiftNIO",
    "simd": "SIMD2 to SIMD64 are the standard library's",
    "ObjectiveC": "there is no Objective-C runtime",
  ]

  /// Other modules that are often imported with Core Location.
  private static let others: Set<String> = [
    "ARKit", "AVFoundation", "AVKit", "Accelerate", "Accessibility", "ActivityKit", "AppIntents",
    "AudioToolbox", "AuthenticationServices", "CallKit", "CarPlay", "CFNetwork", "ClockKit",
    "CloudKit", "Cocoa", "ContactsUI", "CoreAudio", "CoreData",
    "CoreImage", "CoreML", "CoreMedia", "CoreServices", "CoreSpotlight", "CoreTelephony",
    "CoreText", "CoreVideo", "EventKit", "GameKit", "GameplayKit", "HealthKit", "HomeKit",
    "ImageIO", "Intents", "LocalAuthentication", "MediaPlayer", "MessageUI", "Messages", "Metal",
    "MetalKit", "MobileCoreServices", "MultipeerConnectivity", "NaturalLanguage",
    "NearbyInteraction", "NetworkExtension", "NotificationCenter", "PassKit", "Photos",
    "PhotosUI", "PushKit", "QuickLook", "RealityKit", "SafariServices", "SceneKit", "Security",
    "Social", "Speech", "SpriteKit", "StoreKit", "SwiftData", "SystemConfiguration", "TipKit",
    "UniformTypeIdentifiers", "Vision", "WatchConnectivity", "WatchKit", "WeatherKit", "WebKit",
    "WidgetKit",
  ]

  static func isMissingOnLinux(_ name: String) -> Bool {
    advice[name] != nil || others.contains(name)
  }

  static func advice(for name: String) -> String {
    advice[name] ?? "keep what uses it in '#if canImport(\(name))'"
  }
}
