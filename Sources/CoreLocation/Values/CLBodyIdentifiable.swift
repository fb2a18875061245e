/// A body that headings can refer to instead of the device.
public protocol CLBodyIdentifiable: NSObjectProtocol {}
