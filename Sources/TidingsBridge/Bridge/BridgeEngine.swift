// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock

/// The values that the parts of a started bridge share.
struct EngineParts: Sendable {
    let center: MessageCenter
    let space: Space
    let storage: BridgeStorage
    let options: BridgeOptions
    let time: Timeline
    let transient: TransientQueue
}

/// A started bridge, which makes one connection after another and runs its parts over each.
final class BridgeEngine: Sendable {
    private struct State {
        var link = BridgeStatus()
        /// The losses of connections that have ended.
        var lostTransients = 0
    }

    let parts: EngineParts
    let outlets: [Outlet]
    private let publisher: Publisher
    private let subscriptions: [Subscription]
    private let receivers: [TransientReceiver]
    private let answerers: [Answerer]
    let mirrors: [any StateMirror]
    let requester: Requester
    private let transport: any BridgeTransport
    private let state = Lock(State())
    private let changes: WakeSignal
    /// Raised with each change while the outbox is drained.
    private let drained = WakeSignal()
    private let isDraining = Lock(false)
    /// Raised to end the pause between two reports of the status.
    private let pace = WakeSignal()
    private let status: StatePublisher<BridgeStatus>
    /// Settled when the first attempt to connect has ended.
    let firstAttempt = Answer<Void>()

    init(
        _ parts: EngineParts,
        _ transport: any BridgeTransport,
        _ crossings: [Crossing],
        _ bridge: ObjectIdentifier,
        _ status: StatePublisher<BridgeStatus>
    ) throws(BridgeError) {
        let changes = WakeSignal()
        let (storage, options) = (parts.storage, parts.options)
        let publisher = Publisher(
            storage,
            parts.time,
            PublishState(window: options.window, deadline: options.acknowledgementDeadline)
        ) { changes.raise() }
        var subscriptions: [Subscription] = []
        var receivers: [TransientReceiver] = []
        var answerers: [Answerer] = []
        var mirrors: [any StateMirror] = []
        let rowsWereAdded = { @Sendable in
            publisher.rowsWereAdded()
            changes.raise()
        }
        for crossing in crossings {
            let messages: MessageCrossing
            switch crossing.content {
            case .messages(let found): messages = found
            case .answers(let make):
                answerers.append(try make(parts, bridge))
                continue
            case .state(let make):
                mirrors.append(make(crossing, parts, rowsWereAdded) { changes.raise() })
                continue
            }
            let inlet = try messages.makeInlet(options.codec, parts.center, bridge)
            guard let start = messages.direction.start else { continue }
            switch messages.kind.value {
            case .durable:
                subscriptions.append(Subscription(inlet, parts, start: start) { changes.raise() })
            case .shared(let name):
                let group = try SharedGroup(work: name, of: inlet.name, parts)
                subscriptions.append(
                    Subscription(inlet, parts, start: .beginning, group) { changes.raise() }
                )
            case .transient:
                receivers.append(TransientReceiver(inlet, parts))
            }
        }
        outlets = crossings.compactMap(\.outgoingMessages).map {
            Outlet($0, parts, rowsWereAdded: rowsWereAdded)
        }
        self.parts = parts
        self.publisher = publisher
        self.subscriptions = subscriptions
        self.receivers = receivers
        self.answerers = answerers
        self.mirrors = mirrors
        requester = Requester(parts)
        self.transport = transport
        self.changes = changes
        self.status = status
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.connect() }
            group.addTask { await self.reportStatus() }
            for subscription in subscriptions {
                group.addTask { await subscription.retryParked() }
            }
            for mirror in mirrors { group.addTask { await mirror.write() } }
        }
        for subscription in subscriptions { await subscription.finishDelivery() }
        for receiver in receivers { await receiver.finishDelivery() }
    }

    /// Starts to notice the changes of mirrored states.
    func observeStates() -> [ObservationToken] { mirrors.map { $0.observe() } }

    /// Sends and handles messages that were put back from the dead letters.
    func deadLetterWasRevived() {
        publisher.rowsWereAdded()
        for subscription in subscriptions { subscription.messagesWereParked() }
        changes.raise()
    }

    /// Refreshes the status after a change outside the engine.
    func noteChange() {
        changes.raise()
    }

    /// Waits until the server has acknowledged the outbox, or until a time.
    func drain(until end: Duration) async {
        let time = parts.time
        isDraining.withLock { $0 = true }
        pace.raise()
        // No observer reports the last changes any more.
        for mirror in mirrors { mirror.flush() }
        while hasWork, time.now < end, !Task.isCancelled {
            await drained.wait(until: end) { await time.sleep(for: max($0 - time.now, .zero)) }
        }
    }

    /// Lets the work in progress end over its connection when the task is cancelled.
    ///
    /// The outbox is drained before this call, because a lost connection must not wait for that
    /// work during the drain.
    func prepareToEnd() {
        for subscription in subscriptions { subscription.prepareToClose() }
    }

    private var hasWork: Bool {
        parts.storage.figures.withLock { $0.rows } > 0 || mirrors.contains { $0.hasNewChange }
    }

    // MARK: Connections

    private func connect() async {
        var backoff = parts.options.backoff
        var epoch = 0
        while !Task.isCancelled {
            epoch += 1
            let progress = Lock(false)
            let end = await oneConnection(epoch) { progress.withLock { $0 = true } }
            if Task.isCancelled { break }
            disconnected(end)
            if progress.withLock({ $0 }) { backoff.reset() }
            await parts.time.sleep(for: backoff.next(.random(in: 0...1)))
        }
        disconnected(nil)
        firstAttempt.settle(.success(()))
    }

    /// Makes one connection and runs all parts over this connection.
    ///
    /// - Returns: The reason of the end.
    private func oneConnection(
        _ epoch: Int,
        didProgress: @escaping @Sendable () -> Void
    ) async -> TransportError {
        state.withLock { $0.link.epoch = epoch }
        do throws(TransportError) {
            let connection = try await transport.connect(to: parts.space.name, epoch: epoch)
            defer {
                let losses = connection.transientLosses
                state.withLock { $0.lostTransients += losses }
                connection.close()
            }
            try checkGuarantees(of: connection)
            // The positions are fixed before the bridge counts as connected, so that no message is
            // missed after that.
            for subscription in subscriptions { try await subscription.fixStart(over: connection) }
            var transients: [@Sendable () async throws -> Void] = []
            for receiver in receivers {
                let reader = try await receiver.subscribe(over: connection)
                transients.append { try await receiver.run(reader) }
            }
            for answerer in answerers {
                let reader = try await answerer.subscribe(over: connection)
                transients.append { try await answerer.run(reader, over: connection) }
            }
            requester.open(connection)
            connected()
            try await race(bodies(over: connection, didProgress) + transients)
            return TransportError(.closed, "The connection was closed.")
        } catch {
            firstAttempt.settle(.success(()))
            return error
        }
    }

    private func checkGuarantees(
        of connection: any BridgeConnection
    ) throws(TransportError) {
        let meaning = connection.guarantees.acknowledgement
        let isTooWeak = parts.options.requirement == .neverLose && !meaning.survivesPowerCut
        state.withLock { state in
            state.link.acknowledgement = meaning
            state.link.isTooWeak = isTooWeak
        }
        guard isTooWeak else { return }
        let message = """
            An acknowledgement of this server means \(meaning), which a power cut may undo. \
            Configure the server to sync, or lower `BridgeOptions.requirement`.
            """
        firstAttempt.settle(.failure(BridgeError(.tooWeak, message)))
        throw TransportError(.other, message)
    }

    private func connected() {
        state.withLock { state in
            state.link.isConnected = true
            state.link.since = Date()
            state.link.fault = nil
        }
        parts.transient.open()
        changes.raise()
        pace.raise()
        firstAttempt.settle(.success(()))
    }

    private func bodies(
        over connection: any BridgeConnection,
        _ didProgress: @escaping @Sendable () -> Void
    ) -> [@Sendable () async throws -> Void] {
        let (publisher, transient) = (publisher, parts.transient)
        var bodies: [@Sendable () async throws -> Void] = [
            { try await publisher.run(over: connection, didProgress: didProgress) },
            { try await transient.run(over: connection) },
            { [requester] in try await requester.run(over: connection) },
        ]
        for mirror in mirrors {
            bodies.append { try await mirror.run(over: connection, didProgress: didProgress) }
        }
        for subscription in subscriptions {
            bodies.append {
                try await subscription.run(over: connection, didProgress: didProgress)
                // A subscription that has stopped by policy does not end the shared connection.
                await WakeSignal().wait()
            }
        }
        return bodies
    }

    private func disconnected(_ fault: TransportError?) {
        state.withLock { state in
            if state.link.isConnected { state.link.since = Date() }
            state.link.isConnected = false
            if let fault { state.link.fault = fault }
        }
        changes.raise()
        pace.raise()
    }

    // MARK: Status

    private func reportStatus() async {
        while !Task.isCancelled {
            status.updateData(currentStatus())
            if isDraining.withLock({ $0 }) {
                drained.raise()
            } else {
                await pauseReports()
            }
            await changes.wait()
        }
    }

    /// Waits, so that status reports do not slow down a busy bridge.
    ///
    /// A change of the connection is reported immediately.
    private func pauseReports() async {
        let (time, pace) = (parts.time, pace)
        let timer = Task {
            await time.sleep(for: .milliseconds(5))
            if !Task.isCancelled { pace.raise() }
        }
        await pace.wait()
        timer.cancel()
    }

    /// Publishes the status once more, after the end of all tasks.
    func reportEnd() {
        status.updateData(currentStatus())
    }

    private func currentStatus() -> BridgeStatus {
        var (status, ended) = state.withLock { ($0.link, $0.lostTransients) }
        let figures = parts.storage.figures.withLock { $0 }
        status.isStalled = publisher.isStalled
        status.outboxCount = figures.rows
        status.outboxBytes = figures.bytes
        status.oldestPost = figures.rows == 0 ? nil : (try? parts.storage.oldestPost()) ?? nil
        let letters = parts.storage.letterFigures.withLock { $0 }
        status.deadLetterCount = letters.count
        status.droppedDeadLetterCount = letters.dropped
        ended += receivers.reduce(parts.transient.losses) { $0 + $1.losses }
        status.transientLosses = ended
        for subscription in subscriptions {
            status.subscriptions[subscription.inlet.name.text] = subscription.status
        }
        for mirror in mirrors { status.subscriptions[mirror.name] = mirror.status }
        return status
    }
}
