// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

extension SharedGroup {
    /// Creates the group of the work of one type.
    ///
    /// - Throws: `invalidCrossing` if the name is malformed.
    init(work name: String, of type: WireName, _ parts: EngineParts) throws(BridgeError) {
        guard WireName.isToken(name.utf8), name.utf8.count <= 50 else {
            throw BridgeError(
                .invalidCrossing,
                "“\(name)” is no name of a group. Use up to 50 letters, digits, - and _."
            )
        }
        self.init(
            name: Self.name(work: name, of: type.text),
            filter: parts.space.allStored(type),
            workLimit: max(parts.options.workLimit, .milliseconds(100)),
            start: .beginning
        )
    }
}

extension SharedGroup {
    /// Returns a name with the type, because two types may have workers of the same name.
    ///
    /// A work name without a hyphen and a type without a hyphen or an underscore are joined by one
    /// hyphen. Other names are escaped, so that no two are equal, and have more than one hyphen.
    static func name(work: String, of type: String) -> String {
        if !work.contains("-"), !type.contains(where: { $0 == "-" || $0 == "_" }) {
            return "\(work)-\(type.replacing(".", with: "_"))"
        }
        let parts = [work, type].map { part in
            part.replacing("-", with: "--").replacing("_", with: "-u").replacing(".", with: "_")
        }
        return parts.joined(separator: "-s")
    }
}

extension TransportError {
    /// Whether the error says that the connection has ended.
    fileprivate var isEnd: Bool {
        switch code {
        case .closed, .unreachable, .lost, .overdue: true
        case .notPermitted, .noStream, .tooLarge, .malformed, .full, .superseded, .unsupported,
            .other:
            false
        }
    }
}

extension Subscription {
    /// Joins a group, and tries again after a refusal of the server.
    ///
    /// A refusal does not end the connection, because all other crossings use the connection.
    ///
    /// - Returns: The reader, or nil if the transport shares no work.
    private func join(
        _ group: SharedGroup,
        over connection: any BridgeConnection
    ) async throws(TransportError) -> (any SharedReader)? {
        var faults = 0
        while true {
            do throws(TransportError) {
                let reader = try await connection.share(group)
                counts.withLock { $0.isStopped = false }
                noteChange()
                return reader
            } catch {
                if error.isEnd { throw error }
                counts.withLock { $0.isStopped = true }
                noteChange()
                if error.code == .unsupported { return nil }
            }
            faults += 1
            await time.sleep(for: retry.pause(after: faults))
            if Task.isCancelled { throw TransportError(.closed, "The reading was cancelled.") }
        }
    }

    /// Handles messages of a group until the connection ends or the task is cancelled.
    func share(
        _ group: SharedGroup,
        over connection: any BridgeConnection,
        _ didProgress: @escaping @Sendable () -> Void
    ) async throws(TransportError) {
        guard let reader = try await join(group, over: connection) else { return }
        defer { reader.close() }
        var unheard = 0
        while !Task.isCancelled {
            try await storeLast()
            // The group counts each delivery, so a message without a handler is not even taken.
            while !inlet.hasHandler(), !Task.isCancelled {
                await time.sleep(for: min(max(retry.firstPause, .milliseconds(1)), .seconds(1)))
            }
            guard !Task.isCancelled else { break }
            for frame in try await reader.next(atMost: 1) {
                let shared = SharedWork(frame, reader, group.workLimit)
                if try await work(on: shared, after: unheard) {
                    unheard = 0
                } else {
                    unheard += 1
                    // During the pause, a process with a handler can take the message.
                    await time.sleep(for: retry.pause(after: unheard))
                }
                didProgress()
                noteChange()
            }
        }
    }

    /// Handles one message and reports the outcome to the group.
    ///
    /// - Returns: False if there was no handler.
    private func work(
        on shared: SharedWork,
        after unheard: Int
    ) async throws(TransportError) -> Bool {
        let stored = shared.frame.stored
        let id = id(of: stored, in: nil)
        let envelope: BridgeEnvelope
        do throws(BridgeError) {
            envelope = try BridgeEnvelope(stored.frame, fallbackID: id, stored: stored.time)
        } catch {
            try await bury(shared, id: id, error)
            return true
        }
        if try await isUnwanted(shared, envelope) {
            try await shared.acknowledge()
            return true
        }
        let cause: String?
        do throws(TransportError) {
            cause = try reasonToBury(shared, envelope.id)
        } catch {
            Siblings.release(envelope.id, by: storage.origin, on: center)
            throw error
        }
        if let cause {
            try await bury(shared, id: envelope.id, BridgeError(.handlerFailed, cause))
            return true
        }
        let outcome = try await handle(shared, envelope)
        switch outcome {
        case .handled:
            try await shared.acknowledge()
        case .unheard, .unavailable:
            try await shared.retry(after: retry.pause(after: unheard + 1))
            return false
        case .failed(let cause):
            try await retryOrBury(shared, id: envelope.id, BridgeError(.handlerFailed, cause))
        case .undecodable(let error) where error.code == .unsupportedVersion:
            // Another process of the group may be newer or older.
            try await retryOrBury(shared, id: envelope.id, error)
        case .undecodable(let error): try await bury(shared, id: envelope.id, error)
        }
        return true
    }

    /// Returns whether the message was handled here before, or is not for this crossing.
    ///
    /// The call waits while another bridge of the center has the message in work, because the
    /// process may still end.
    private func isUnwanted(
        _ shared: SharedWork,
        _ envelope: BridgeEnvelope
    ) async throws(TransportError) -> Bool {
        if envelope.type != name || envelope.hops > hopLimit {
            counts.withLock { $0.skipped += 1 }
            return true
        }
        var isRepeat = try stored { () throws(BridgeError) in try storage.hasSeen(envelope.id) }
        while !isRepeat {
            switch Siblings.claim(envelope.id, by: storage.origin, on: center) {
            case .granted: return false
            case .done: isRepeat = true
            case .inWork: try await waitForSibling(shared, envelope.id)
            }
        }
        counts.withLock { $0.repeats += 1 }
        return true
    }

    /// Waits until another bridge of the center has handled or given up a message.
    ///
    /// Other processes do not receive the message during the wait.
    private func waitForSibling(
        _ shared: SharedWork,
        _ id: String
    ) async throws(TransportError) {
        let reminder = shared.extendUntilCancelled(by: time)
        defer { reminder.cancel() }
        try await waitForSibling(id)
    }

    /// Calls the handlers, and keeps the message from other processes while they run.
    private func handle(
        _ shared: SharedWork,
        _ envelope: BridgeEnvelope
    ) async throws(TransportError) -> Inlet.Outcome {
        // The end of the connection cancels no handler. If the connection ends first, the group
        // gives the message out again. The inbox recognizes a repeat that this process receives.
        let work = start { [self] in
            let outcome = await inlet.deliver(shared.frame.stored.frame.body, envelope)
            return Result { () throws(TransportError) in
                try finish(outcome, of: shared, envelope.id)
                return outcome
            }
        }
        let reminder = shared.extendUntilCancelled(by: time)
        defer { reminder.cancel() }
        return try await outcome(of: work)
    }

    /// Stores the outcome of handlers, or keeps the outcome until the storage takes it.
    private func finish(
        _ outcome: Inlet.Outcome,
        of shared: SharedWork,
        _ id: String
    ) throws(TransportError) {
        do throws(TransportError) {
            // The outcome is stored even after the end of the connection, so that every attempt
            // counts.
            try stored { () throws(BridgeError) in try store(outcome, of: id) }
        } catch {
            // After the end of the bridge, nothing stores the outcome, and the message is handled
            // again.
            if isClosing.withLock({ $0 }) {
                Siblings.release(id, by: storage.origin, on: center)
                throw error
            }
            unstored.withLock { $0 = (id, outcome) }
        }
        guard case .handled = outcome else {
            // The group may now give the message to another bridge of this center.
            return Siblings.release(id, by: storage.origin, on: center)
        }
        // The message is complete even if the outcome cannot be stored. Otherwise, another bridge
        // would call the handlers again.
        Siblings.complete(id, by: storage.origin, on: center)
        // If this fails, the row is forgotten later by number.
        if shared.frame.attempt > 1 { try? storage.forgetTries(of: id) }
        counts.withLock {
            $0.handled += 1
            $0.position = max($0.position, shared.frame.stored.sequence)
            $0.newest = max($0.newest, $0.position)
        }
        noteChange()
    }

    /// Returns why the handlers are not called once more, or nil if they are.
    private func reasonToBury(
        _ shared: SharedWork,
        _ id: String
    ) throws(TransportError) -> String? {
        guard shared.frame.attempt > 1 else { return nil }
        let known = try stored { () throws(BridgeError) in try storage.tries(of: id) }
        if known.failures >= retry.attempts {
            // The dead letter was not stored after the last failure.
            return "Its handlers failed \(known.failures) times."
        }
        // The end of these deliveries is not known here. Failures become dead letters sooner. A row
        // that distinguishes the end of this process from the end of a connection would cost a
        // commit for each message. Such a row would help only a group of one process, because the
        // end of another process remains unknown.
        let lost = shared.frame.attempt - 1 - known.deliveries
        guard lost / 2 >= retry.attempts, inlet.hasHandler() else { return nil }
        return """
            It was given out \(lost) times and never finished. Find out \
            whether it ends its processes, then send the dead letter again.
            """
    }

    private func store(_ outcome: Inlet.Outcome, of id: String) throws(BridgeError) {
        switch outcome {
        case .handled: try storage.remember(id)
        case .failed, .undecodable: try storage.countTry(of: id, isFailure: true)
        case .unheard, .unavailable: try storage.countTry(of: id, isFailure: false)
        }
    }

    /// Stores the outcome that the storage has not taken, before further work is taken.
    ///
    /// A full disk keeps one outcome in memory, and other processes of the group do the work.
    private func storeLast() async throws(TransportError) {
        guard let (id, outcome) = unstored.withLock({ $0 }) else { return }
        // The storage would probably fail again immediately. During the pause, the group receives
        // the outcome.
        await time.sleep(for: retry.pause(after: 1))
        try stored { () throws(BridgeError) in try store(outcome, of: id) }
        unstored.withLock { $0 = nil }
    }

    private func retryOrBury(
        _ shared: SharedWork,
        id: String,
        _ error: BridgeError
    ) async throws(TransportError) {
        counts.withLock { $0.failures += 1 }
        var failures = try stored { () throws(BridgeError) in try storage.tries(of: id).failures }
        if unstored.withLock({ $0?.id == id }) { failures += 1 }
        if failures >= retry.attempts { return try await bury(shared, id: id, error) }
        try await shared.retry(after: retry.pause(after: failures))
    }

    /// Makes the message a dead letter of this process, before the group forgets the message.
    private func bury(
        _ shared: SharedWork,
        id: String,
        _ error: BridgeError
    ) async throws(TransportError) {
        let attempts = shared.frame.attempt
        _ = Siblings.claim(id, by: storage.origin, on: center)
        _ = try keep(id) { () throws(BridgeError) in
            let death = death(of: shared.frame.stored, id: id, error, attempts: attempts)
            try storage.bury(death, at: nil)
            return true
        }
        noteChange()
        try stored { () throws(BridgeError) in try storage.forgetTries(of: id) }
        try await shared.acknowledge()
    }
}

/// One message of a group that this process has in work.
private struct SharedWork: Sendable {
    let frame: SharedFrame
    private let reader: any SharedReader
    private let limit: Duration

    init(_ frame: SharedFrame, _ reader: any SharedReader, _ limit: Duration) {
        self.frame = frame
        self.reader = reader
        self.limit = limit
    }

    func acknowledge() async throws(TransportError) {
        try await reader.acknowledge([frame.ticket])
    }

    func retry(after pause: Duration) async throws(TransportError) {
        try await reader.retry(frame.ticket, after: pause)
    }

    /// Reports to the group again and again that the work goes on.
    func extendUntilCancelled(by time: Timeline) -> Task<Void, Never> {
        Task { [frame, reader, limit] in
            while !Task.isCancelled {
                await time.sleep(for: limit / 3)
                guard !Task.isCancelled else { break }
                // Without a connection, the group gives the message to another process.
                guard (try? await reader.extend(frame.ticket)) != nil else { break }
            }
        }
    }
}
