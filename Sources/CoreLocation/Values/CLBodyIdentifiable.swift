/// A body that headings can be given for instead of the device.
public protocol CLBodyIdentifiable: NSObjectProtocol {}
