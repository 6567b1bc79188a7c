// SPDX-License-Identifier: Apache-2.0
internal import CTidingsSystemd
internal import Dispatch
internal import Glibc

/// One private connection to a message bus.
///
/// It belongs to one serial queue: everything is called there, and everything it calls is called
/// there. No call waits. What was called before the bus has said hello is sent after it.
///
/// It is not `Sendable`: the actor that runs on that queue has it, so no two threads can reach it,
/// or the C library's objects behind it, at once. sd-bus wants no more than that; which thread it is
/// called on does not matter to it.
final class BusConnection {
    typealias Reply = (Result<BusMessage, BusError>) -> Void

    private var bus: OpaquePointer?
    private var pump: BusPump?
    private(set) var replies: [Int: PendingReply] = [:]
    private(set) var watches: [Int: Watch] = [:]
    /// How many signals were read for their values; those that nobody wants are not.
    private(set) var signalsRead = 0
    private var lastNumber = 0
    /// How deep `process` is in itself: a handler may call what would begin it again.
    private var isProcessing = false

    struct PendingReply {
        /// The only one who may answer, besides the bus; nil for one known by a name that changes
        /// hands.
        let answerer: String?
        let take: Reply
    }

    struct Watch {
        let isWanted: (BusMessage) -> Bool
        let handler: (BusMessage) -> Void
    }

    /// How many messages are handled in one go.
    private static let turn = 128

    /// Called once, when the connection ends without having been closed.
    var onLoss: ((String) -> Void)?

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - address: Where the bus listens, as the specification of D-Bus writes it.
    ///   - queue: Whose connection it is.
    ///   - wake: Called on the queue when ``process()`` has to be called there.
    /// - Throws: `.disconnected` when nobody listens there.
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
                "The message bus at \(address) cannot be reached: \(BusText.of(-result))."
            )
        }
        pump = BusPump(descriptor: sd_bus_get_fd(bus), queue: queue, wake: wake)
        guard pump != nil else {
            close()
            throw .disconnected("There is no file descriptor left to watch the message bus with.")
        }
        arm()
    }

    // On whatever thread let go of it last. Nobody else is left: the sources keep only a weak
    // reference to its actor, and whoever runs in the actor keeps that, and with it this, alive.
    deinit {
        close()
    }

    /// The number of the server, another one after its restart; nil before it has said hello.
    var serverID: String? {
        guard let bus, sd_bus_is_ready(bus) > 0 else { return nil }
        var text = [CChar](repeating: 0, count: 33)
        guard tidings_systemd_bus_id(bus, &text) >= 0 else { return nil }
        return String(decoding: text.prefix(32).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Calls a method of somebody who is on the bus already, and hands its answer over once.
    ///
    /// Answers arrive in the order in which the bus has them, signals among them.
    func call(_ call: BusCall, limit: Duration, reply: @escaping Reply) {
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
            guard let message else { throw .invalid("There is no message.") }
            sd_bus_message_set_auto_start(message, 0)
            try BusMessageWriter(message: message).append(call.body)
            let start = ContinuousClock.now
            let number = nextNumber()
            replies[number] = PendingReply(answerer: call.onlyAnswerer) { result in
                // The bus says "no reply" of somebody who has left, too.
                if case .failure(.refused("org.freedesktop.DBus.Error.NoReply", _)) = result,
                    ContinuousClock.now - start >= limit
                {
                    reply(.failure(.timedOut))
                } else {
                    reply(result)
                }
            }
            do throws(BusError) {
                try hold(number) { slot, context in
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

    /// Hands over the signals that a rule matches, from now on.
    ///
    /// Whoever is on the bus can send anything to anybody, whatever the rule says of senders.
    ///
    /// - Parameters:
    ///   - rule: The rule, as the specification of D-Bus writes it.
    ///   - isWanted: Called first, with the message's sender, names and signature and without its
    ///     values: those of a message that is not wanted are never read.
    ///   - installed: Called once, when the bus has taken the rule, or not.
    ///   - handler: Called for each signal, in their order.
    func match(
        _ rule: String,
        isWanted: @escaping (BusMessage) -> Bool,
        installed: @escaping Reply,
        handler: @escaping (BusMessage) -> Void
    ) {
        let number = nextNumber()
        watches[number] = Watch(isWanted: isWanted, handler: handler)
        replies[number] = PendingReply(answerer: DesktopNames.bus, take: installed)
        do throws(BusError) {
            let bus = try openBus()
            try hold(number) { slot, context in
                sd_bus_add_match_async(bus, &slot, rule, busSignal, busReply, context)
            }
            arm()
        } catch {
            watches[number] = nil
            replies[number] = nil
            installed(.failure(error))
        }
    }

    /// Sends a signal to everybody.
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
        guard let message else { throw .invalid("There is no message.") }
        try BusMessageWriter(message: message).append(signal.body)
        try check(sd_bus_send(bus, message, nil))
        arm()
    }

    func takeReply(_ number: Int) -> PendingReply? {
        replies.removeValue(forKey: number)
    }

    func takeSignal(_ message: OpaquePointer, _ watch: Watch) {
        guard watch.isWanted(BusMessageReader(message: message).head()) else { return }
        signalsRead += 1
        if case .success(let signal) = result(of: message) { watch.handler(signal) }
    }

    /// Does what there is to do; calls the handlers.
    func process() {
        guard !isProcessing else { return }
        isProcessing = true
        defer { isProcessing = false }
        var result: Int32 = 1
        // The rest has its turn after whatever else waits for the queue: ``arm()`` sees to that.
        for _ in 0..<Self.turn where result > 0 {
            guard let bus else { return }
            result = sd_bus_process(bus, nil)
        }
        guard let bus else { return }
        // A bus that sends nonsense is left open by sd-bus, which would say the same each time: such
        // a connection is over, too.
        if result >= 0, sd_bus_is_open(bus) > 0 {
            arm()
        } else {
            let reason = "The connection to the message bus has ended."
            let onLoss = onLoss
            end(reason)
            onLoss?(reason)
        }
    }

    /// Ends the connection; answers that are awaited do not come any more, and say so.
    func close() {
        end("The connection to the message bus was closed.")
    }

    private func end(_ reason: String) {
        onLoss = nil
        pump?.stop()
        pump = nil
        let waiting = replies.sorted { $0.key < $1.key }
        replies = [:]
        watches = [:]
        guard let bus else { return }
        self.bus = nil
        sd_bus_close(bus)
        sd_bus_unref(bus)
        for (_, reply) in waiting { reply.take(.failure(.disconnected(reason))) }
    }

    private func arm() {
        guard let bus, let pump else { return }
        var deadline = UInt64.max
        let events = sd_bus_get_events(bus)
        // A connection that has just ended has one more thing to do: to say so.
        if events < 0 || sd_bus_get_timeout(bus, &deadline) < 0 { deadline = 0 }
        pump.arm(events: max(events, 0), deadline: deadline)
    }

    private func openBus() throws(BusError) -> OpaquePointer {
        guard let bus else { throw .disconnected("There is no connection to the message bus.") }
        return bus
    }

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func check(_ result: Int32) throws(BusError) {
        switch -result {
        case ...0: return
        case ENOTCONN, ECONNRESET, ESHUTDOWN, EPIPE, ESTALE:
            throw .disconnected("The connection to the message bus has ended.")
        default: throw .invalid("sd-bus does not take this: \(BusText.of(-result)).")
        }
    }
}
