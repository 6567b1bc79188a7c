// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd
internal import Dispatch
internal import Glibc

/// A private connection to a message bus.
///
/// The connection belongs to one serial queue. Call the connection only there, and all handlers are
/// invoked there. No call blocks. sd-bus queues calls made before the bus has answered the hello,
/// and sends these calls afterwards.
///
/// The class is not `Sendable`. The actor on that queue owns the connection, so two threads can
/// never use the connection, or the C objects behind it, at the same time. sd-bus requires nothing
/// more, and any thread is allowed.
final class BusConnection {
    typealias ReplyHandler = (Result<BusMessage, BusError>) -> Void

    private var bus: OpaquePointer?
    private var eventSource: BusEventSource?
    private(set) var replies: [Int: PendingReply] = [:]
    private(set) var matches: [Int: Match] = [:]
    /// The handlers of method calls, which return whether a call is known.
    var services: [Int: (BusMessage) -> Bool] = [:]
    /// The number of signals whose values were read, without filtered signals.
    private(set) var signalsRead = 0
    private var lastNumber = 0
    /// Whether `process` is running, in order to prevent reentry from a handler.
    private var isProcessing = false

    /// A call without a reply yet.
    struct PendingReply {
        /// The only client that may reply besides the bus, or nil for a well-known name, whose
        /// owner can change.
        let expectedSender: String?
        let handler: ReplyHandler
    }

    /// An installed match rule.
    struct Match {
        let filter: (BusMessage) -> Bool
        let handler: (BusMessage) -> Void
    }

    /// The maximum number of messages that one `process` call handles.
    private static let batchSize = 128

    /// Called once with the reason, when the connection ends without a call to ``close()``.
    var onLoss: ((String) -> Void)?

    /// Starts connecting.
    ///
    /// - Parameters:
    ///   - address: The address of the bus, in the notation of the D-Bus specification.
    ///   - queue: The queue that owns the connection.
    ///   - wake: Called on the queue when ``process()`` must be called there.
    /// - Throws: `.disconnected` when no bus listens at the address.
    init(
        address: String,
        queue: DispatchQueue,
        wake: @escaping @Sendable () -> Void
    ) throws(BusError) {
        var bus: OpaquePointer?
        guard sd_bus_new(&bus) >= 0, let bus else { throw .disconnected("Out of memory.") }
        self.bus = bus
        sd_bus_set_description(bus, "tidings")
        let isRefused =
            sd_bus_set_address(bus, address) < 0 || sd_bus_set_bus_client(bus, 1) < 0
        let result = isRefused ? -EINVAL : sd_bus_start(bus)
        guard result >= 0 else {
            close()
            throw .disconnected(
                "Cannot connect to the message bus at \(address): "
                    + "\(BusText.errorDescription(-result))."
            )
        }
        eventSource = BusEventSource(descriptor: sd_bus_get_fd(bus), queue: queue, wake: wake)
        guard eventSource != nil else {
            close()
            throw .disconnected("No file descriptor is left to watch the message bus.")
        }
        arm()
    }

    // The code runs on the thread that releases the last reference. No other code can be using the
    // connection. The dispatch sources hold only a weak reference to the actor, and code that runs
    // in the actor keeps the actor, and so the connection, alive.
    deinit {
        close()
    }

    /// The ID of the bus server, which changes with a restart, or nil before the bus answered the
    /// hello.
    var serverID: String? {
        guard let bus, sd_bus_is_ready(bus) > 0 else { return nil }
        var text = [CChar](repeating: 0, count: 33)
        guard tidings_systemd_bus_id(bus, &text) >= 0 else { return nil }
        return String(decoding: text.prefix(32).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Calls a method of a client that is on the bus, and calls `reply` once with the result.
    ///
    /// The bus does not start a service for the call. Replies and signals arrive in the order in
    /// which the bus sends them.
    ///
    /// - Parameters:
    ///   - call: The call to send.
    ///   - limit: The timeout for the reply.
    ///   - reply: Called with the reply or the error. If sending fails, the call happens before
    ///     this method returns.
    func call(_ call: BusCall, limit: Duration, reply: @escaping ReplyHandler) {
        do throws(BusError) {
            let bus = try openBus()
            var message: OpaquePointer?
            try check(
                sd_bus_message_new_method_call(
                    bus,
                    &message,
                    call.destination,
                    call.path,
                    call.interface,
                    call.member
                )
            )
            defer { sd_bus_message_unref(message) }
            guard let message else { throw .invalid("sd-bus created no message.") }
            sd_bus_message_set_auto_start(message, 0)
            try BusMessageWriter(message: message).appendAll(call.body)
            let start = ContinuousClock.now
            let number = nextNumber()
            replies[number] = PendingReply(expectedSender: call.expectedSender) { result in
                // The bus also sends NoReply when the callee has left. Only after the limit does
                // NoReply mean a timeout.
                if case .failure(.refused("org.freedesktop.DBus.Error.NoReply", _)) = result,
                    ContinuousClock.now - start >= limit
                {
                    reply(.failure(.timedOut))
                } else {
                    reply(result)
                }
            }
            do throws(BusError) {
                try addSlot(number) { slot, context in
                    sd_bus_call_async(bus, &slot, message, busReply, context, limit.microseconds)
                }
            } catch {
                replies[number] = nil
                throw error
            }
            arm()
        } catch {
            reply(.failure(error))
        }
    }

    /// Delivers signals that match a rule, from now on.
    ///
    /// A match rule does not protect the connection. Any client can send a signal directly to this
    /// connection, whatever sender the rule names. Use `filter` to check the sender.
    ///
    /// - Parameters:
    ///   - rule: The match rule, in the notation of the D-Bus specification.
    ///   - filter: Called first, with the sender, names and signature but without the values. If
    ///     the filter returns false, the values of the message are never read.
    ///   - installed: Called once with the bus's answer to the rule.
    ///   - handler: Called for each accepted signal, in order.
    func match(
        _ rule: String,
        filter: @escaping (BusMessage) -> Bool,
        installed: @escaping ReplyHandler,
        handler: @escaping (BusMessage) -> Void
    ) {
        let number = nextNumber()
        matches[number] = Match(filter: filter, handler: handler)
        replies[number] = PendingReply(expectedSender: DesktopNames.bus, handler: installed)
        do throws(BusError) {
            let bus = try openBus()
            try addSlot(number) { slot, context in
                sd_bus_add_match_async(bus, &slot, rule, busSignal, busReply, context)
            }
            arm()
        } catch {
            matches[number] = nil
            replies[number] = nil
            installed(.failure(error))
        }
    }

    /// Broadcasts a signal.
    func emit(_ signal: BusSignal) throws(BusError) {
        let bus = try openBus()
        var message: OpaquePointer?
        try check(
            sd_bus_message_new_signal(
                bus,
                &message,
                signal.path,
                signal.interface,
                signal.member
            )
        )
        defer { sd_bus_message_unref(message) }
        guard let message else { throw .invalid("sd-bus created no message.") }
        try BusMessageWriter(message: message).appendAll(signal.body)
        try check(sd_bus_send(bus, message, nil))
        arm()
    }

    /// Removes and returns the pending reply of a call, or nil if the call is already completed.
    func removeReply(_ number: Int) -> PendingReply? {
        replies.removeValue(forKey: number)
    }

    /// Reads a signal and calls the match's handler if the filter accepts the signal.
    func deliver(_ message: OpaquePointer, to match: Match) {
        guard match.filter(BusMessageReader(message: message).header()) else { return }
        signalsRead += 1
        if case .success(let signal) = result(of: message) { match.handler(signal) }
    }

    /// Processes one batch of incoming and outgoing messages, and calls the handlers.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        var result: Int32 = 1
        // After one batch, other work on the queue gets a turn, because ``arm()`` schedules the
        // next batch.
        for _ in 0..<Self.batchSize where result > 0 {
            guard let bus else { return }
            result = sd_bus_process(bus, nil)
        }
        guard let bus else { return }
        // sd-bus leaves the connection open after a malformed message and would return the same
        // error each time, so an error also ends the connection.
        if result >= 0, sd_bus_is_open(bus) > 0 {
            arm()
        } else {
            let reason = "The connection to the message bus has ended."
            let onLoss = onLoss
            end(reason)
            onLoss?(reason)
        }
    }

    /// Closes the connection and completes all pending replies with `.disconnected`.
    func close() {
        end("The connection to the message bus was closed.")
    }

    private func end(_ reason: String) {
        onLoss = nil
        eventSource?.stop()
        eventSource = nil
        let waiting = replies.sorted { $0.key < $1.key }
        replies = [:]
        matches = [:]
        services = [:]
        guard let bus else { return }
        self.bus = nil
        sd_bus_close(bus)
        sd_bus_unref(bus)
        for (_, reply) in waiting { reply.handler(.failure(.disconnected(reason))) }
    }

    func arm() {
        guard let bus, let eventSource else { return }
        var deadline = UInt64.max
        let events = sd_bus_get_events(bus)
        // A connection that just ended must be processed once more in order to report the end.
        if events < 0 || sd_bus_get_timeout(bus, &deadline) < 0 { deadline = 0 }
        eventSource.arm(events: max(events, 0), deadline: deadline)
    }

    func openBus() throws(BusError) -> OpaquePointer {
        guard let bus else { throw .disconnected("There is no connection to the message bus.") }
        return bus
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Throws the error that an sd-bus function returned, if the result is an error.
    func check(_ result: Int32) throws(BusError) {
        switch -result {
        case ...0: return
        case ENOTCONN, ECONNRESET, ESHUTDOWN, EPIPE, ESTALE:
            throw .disconnected("The connection to the message bus has ended.")
        default:
            throw .invalid("sd-bus rejected the message: \(BusText.errorDescription(-result)).")
        }
    }
}
#endif
