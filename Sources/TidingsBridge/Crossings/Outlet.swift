// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// Takes the messages of one type out of the process.
final class Outlet: Sendable {
    let name: WireName
    let kind: Crossing.Kind
    let codec: BridgeCodec
    /// Whether the group alone gives messages to the handlers of this process.
    let isWork: Bool
    private let storage: BridgeStorage
    private let space: Space
    private let hopLimit: Int
    private let whenFull: FullOutbox
    private let transient: TransientQueue
    private let rowsWereAdded: @Sendable () -> Void
    private let center: ObjectIdentifier

    init(
        _ crossing: MessageCrossing,
        _ engine: EngineParts,
        rowsWereAdded: @escaping @Sendable () -> Void
    ) {
        name = crossing.name
        kind = crossing.kind
        isWork = crossing.kind.group != nil && crossing.direction.start != nil
        codec = engine.options.codec
        storage = engine.storage
        space = engine.space
        hopLimit = engine.options.hopLimit
        whenFull = engine.options.whenFull
        transient = engine.transient
        center = ObjectIdentifier(engine.center)
        self.rowsWereAdded = rowsWereAdded
    }

    /// The outlet that makes the id of a new message for all bridges of the center.
    ///
    /// `isAlone` is true if no other bridge carries the type. A bridge that closes leads only while
    /// no other bridge carries the type.
    var leader: (outlet: Outlet, isAlone: Bool) {
        Siblings.leader(of: name, on: center) ?? (self, true)
    }

    /// Takes a new message of this process, for all bridges of the center.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - isAlone: Whether no other bridge carried the type when the post started.
    /// - Throws: The first failure, after all bridges were asked.
    func post(_ message: AnyBridgedMessage, isAlone: Bool) throws(BridgeError) {
        let id: String
        if kind.isStored {
            let rows = try append(try draft(message))
            // Another bridge may have joined during the commit, and its observers miss this post.
            if isAlone, !Siblings.has(anotherThan: self, of: name, on: center) { return }
            id = "\(storage.origin)-\(rows.first ?? 0)"
        } else {
            var draft = TransientDraft(message: message, space: space, origin: storage.origin)
            draft.trace = BridgeEnvelope.current?.traceContext
            if isAlone { return transient.append(draft) }
            id = TransientDraft.makeID(origin: storage.origin)
            draft.id = id
            transient.append(draft)
        }
        try share(message, id: id)
    }

    /// Takes a new durable message, and suspends the task while the outbox has no room.
    ///
    /// - Returns: The id of the message.
    func publish(
        _ message: AnyBridgedMessage,
        answer: Answer<Receipt.Acceptance>
    ) async throws(BridgeError) -> String {
        var draft = try draft(message)
        draft.answer = answer
        let rows: [Int]
        if case .wait(let limit) = whenFull {
            rows = try await storage.appendWaiting(draft, within: limit)
        } else {
            rows = try storage.append([draft])
        }
        rowsWereAdded()
        return "\(storage.origin)-\(rows.first ?? 0)"
    }

    private func draft(_ message: AnyBridgedMessage) throws(BridgeError) -> OutboxDraft {
        let trace = BridgeEnvelope.current?.traceContext
        return OutboxDraft(
            subject: space.stored(name, key: message.key),
            headers: message.headers(origin: storage.origin, id: nil, hops: 1, trace: trace),
            body: try message.encode()
        )
    }

    /// Hands a new message, with its id, to every other bridge of the center.
    ///
    /// - Throws: The first failure, after all bridges were asked.
    func share(_ message: AnyBridgedMessage, id: String) throws(BridgeError) {
        var failure: BridgeError?
        let source = MessageSource(
            origin: storage.origin,
            id: id,
            hops: 1,
            trace: BridgeEnvelope.current?.traceContext
        )
        for outlet in Siblings.outlets(of: name, on: center) where outlet !== self {
            do throws(BridgeError) {
                try outlet.take(message, from: source)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Takes a message that another bridge has received.
    func forward(
        _ message: AnyBridgedMessage,
        _ envelope: BridgeEnvelope
    ) throws(BridgeError) {
        guard envelope.hops < hopLimit, envelope.origin != storage.origin else { return }
        let source = MessageSource(
            origin: envelope.origin,
            id: envelope.id,
            hops: envelope.hops + 1,
            trace: envelope.traceContext
        )
        try take(message, from: source)
    }

    private func take(
        _ message: AnyBridgedMessage,
        from source: MessageSource
    ) throws(BridgeError) {
        guard kind.isStored else {
            let draft = TransientDraft(
                message: message,
                space: space,
                origin: source.origin,
                id: source.id,
                hops: source.hops,
                trace: source.trace
            )
            return transient.append(draft)
        }
        var draft = OutboxDraft(
            subject: space.stored(name, key: message.key),
            headers: message.headers(
                origin: source.origin,
                id: source.id,
                hops: source.hops,
                trace: source.trace
            ),
            body: try message.encode(),
            foreignID: source.id
        )
        draft.remembersForeignID = !isWork
        _ = try append(draft)
    }

    private func append(_ draft: OutboxDraft) throws(BridgeError) -> [Int] {
        let rows: [Int]
        if case .wait(let limit) = whenFull {
            // A synchronous post blocks the thread.
            rows = try storage.append(draft, within: limit)
        } else {
            rows = try storage.append([draft])
        }
        rowsWereAdded()
        return rows
    }
}

/// The source of a message that already has an id.
private struct MessageSource {
    let origin: String
    let id: String
    let hops: Int
    let trace: String?
}

/// The reaction of a durable post to an outbox that has reached the quota.
@nonexhaustive public enum FullOutbox: Hashable, Sendable {
    /// Fails: `publish` throws `full`, and a `post` passes `full` to the error hooks of the center.
    case fail
    /// Waits until acknowledgements have made room, at most for this time, and then fails.
    ///
    /// A `post` blocks its thread during the wait.
    case wait(Duration)
}
