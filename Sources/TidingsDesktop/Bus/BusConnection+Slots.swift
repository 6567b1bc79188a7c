// SPDX-License-Identifier: Apache-2.0
internal import CTidingsSystemd

extension BusConnection {
    /// What the C side keeps for a call or a rule, until it lets its slot go.
    ///
    /// It holds one reference: taken when the slot is made, and released by the slot's own end, which
    /// sd-bus tells once and after which it does not call with it again. It calls only from
    /// ``process()`` and ``close()``, which is on the connection's queue.
    private final class Context {
        weak var connection: BusConnection?
        let number: Int

        init(_ connection: BusConnection, _ number: Int) {
            self.connection = connection
            self.number = number
        }
    }

    /// Gives a slot to the bus for as long as it needs it, and our context with it.
    func hold(
        _ number: Int,
        _ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
    ) throws(BusError) {
        let context = Unmanaged.passRetained(Context(self, number))
        var slot: OpaquePointer?
        let result = make(&slot, context.toOpaque())
        guard result >= 0, let slot else {
            context.release()
            try check(result)
            return
        }
        sd_bus_slot_set_destroy_callback(slot) { context in
            context.map { Unmanaged<Context>.fromOpaque($0).release() }
        }
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
    }

    fileprivate static func takeReply(
        _ message: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) {
        let context = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        guard let connection = context.connection,
            let reply = connection.takeReply(context.number)
        else { return }
        // Anybody on a session's bus can send an answer to a call of others.
        let sender = BusMessageReader(message: message).head().sender
        guard let answerer = reply.answerer, sender != answerer,
            sender?.hasPrefix(":") == true
        else { return reply.take(connection.result(of: message)) }
        reply.take(.failure(.invalid("Somebody else has answered.")))
    }

    fileprivate static func takeSignal(
        _ message: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) {
        let context = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        guard let connection = context.connection,
            let watch = connection.watches[context.number]
        else { return }
        connection.takeSignal(message, watch)
    }

    func result(of message: OpaquePointer) -> Result<BusMessage, BusError> {
        if let error = sd_bus_message_get_error(message)?.pointee {
            return .failure(
                .refused(
                    name: error.name.map { String(cString: $0) } ?? "",
                    message: error.message.map { String(cString: $0) } ?? ""
                )
            )
        }
        var reader = BusMessageReader(message: message)
        var read = reader.head()
        guard let body = reader.values() else {
            return .failure(.invalid("A message whose values cannot be read."))
        }
        read.body = body
        return .success(read)
    }
}

/// What sd-bus calls with an answer.
func busReply(
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let message, let context { BusConnection.takeReply(message, context) }
    return 1
}

/// What sd-bus calls with a signal.
func busSignal(
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let message, let context { BusConnection.takeSignal(message, context) }
    return 0
}

extension Duration {
    /// In microseconds, at least one: none would mean sd-bus's own limit.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return .max }
        let sum = whole.partialValue
            .addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000_000))
        return sum.overflow ? .max : max(sum.partialValue, 1)
    }
}
