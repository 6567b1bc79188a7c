// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A message that can cross to other processes.
///
/// ```swift
/// struct OrderPlaced: BridgedMessage {
///     static let wireName: WireName = "orders.placed"
///     let id: Int
///     let region: String
///     var orderingKey: String? { region }
/// }
/// ```
public protocol BridgedMessage: Message, Codable {
    /// The name of the type between processes.
    static var wireName: WireName { get }
    /// The version of the encoded form, from 1, which is also the default.
    static var wireVersion: Int { get }
    /// The oldest version that this program reads, 1 by default.
    static var oldestWireVersion: Int { get }
    /// The steps from the older versions to the current version, none by default.
    static var upcasts: [Upcast] { get }
    /// The key of messages that are handled in the order of their posts, nil by default.
    ///
    /// The order applies to messages of one origin with the same key. Nil asks for no order.
    var orderingKey: String? { get }
}

extension BridgedMessage {
    /// The first version.
    public static var wireVersion: Int { 1 }
    /// The first version.
    public static var oldestWireVersion: Int { 1 }
    /// No steps.
    public static var upcasts: [Upcast] { [] }
    /// No order.
    public var orderingKey: String? { nil }
}

/// One step from the encoded form of a message to the form of the next version.
///
/// A program that reads version 3 has a step from 1 to 2 and a step from 2 to 3. The bridge decodes
/// the oldest form and applies the steps in order.
///
/// ```swift
/// static let upcasts = [
///     Upcast(from: 1) { (old: OrderPlaced1) in OrderPlaced(id: old.id, region: "eu") }
/// ]
/// ```
public struct Upcast: Sendable {
    /// The version that the step reads.
    package let version: Int
    let input: any Any.Type
    let output: any Any.Type
    let decode: @Sendable ([UInt8], BridgeCodec) throws -> any Sendable
    let convert: @Sendable (any Sendable) throws -> any Sendable

    /// Creates the step from a version to the next.
    ///
    /// - Parameters:
    ///   - version: The version that the step reads.
    ///   - step: A closure that returns the value of the next version, called on any thread. An
    ///     error makes the message a dead letter.
    public init<Old: Decodable & Sendable, New: Sendable>(
        from version: Int,
        _ step: @escaping @Sendable (Old) throws -> New
    ) {
        self.version = version
        input = Old.self
        output = New.self
        decode = { try $1.decode(Old.self, $0) }
        convert = { value in
            guard let old = value as? Old else { throw StepMismatch() }
            return try step(old)
        }
    }
}

/// A value of another type than the step reads, which the check at the start excludes.
struct StepMismatch: Error {}
