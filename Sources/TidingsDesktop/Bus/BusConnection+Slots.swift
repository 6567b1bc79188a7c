// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd

extension BusConnection {
    /// The user data of an sd-bus slot, for one call or one match rule.
    ///
    /// The slot holds one reference, which `addSlot` takes and the slot's destroy callback
    /// releases. sd-bus calls the destroy callback once, and does not use the pointer afterward.
    /// sd-bus runs all callbacks inside ``process()`` and ``close()``, which run on the
    /// connection's queue.
    private final class SlotContext {
        weak var connection: BusConnection?
        let number: Int

        init(_ connection: BusConnection, _ number: Int) {
            self.connection = connection
            self.number = number
        }
    }

    /// Creates a floating slot, which the bus owns and destroys, with a context for the callbacks.
    ///
    /// - Parameters:
    ///   - number: The key of the pending reply or match.
    ///   - make: The sd-bus call that creates the slot, with the slot and the user data as
    ///     arguments.
    /// - Throws: The error that `make` returned.
    func addSlot(
        _ number: Int,
        _ make: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
    ) throws(BusError) {
        let context = Unmanaged.passRetained(SlotContext(self, number))
        var slot: OpaquePointer?
        let result = make(&slot, context.toOpaque())
        guard result >= 0, let slot else {
            context.release()
            try check(result)
            return
        }
        sd_bus_slot_set_destroy_callback(slot) { context in
            context.map { Unmanaged<SlotContext>.fromOpaque($0).release() }
        }
        sd_bus_slot_set_floating(slot, 1)
        sd_bus_slot_unref(slot)
    }

    fileprivate static func handleReply(
        _ message: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) {
        let context = Unmanaged<SlotContext>.fromOpaque(context).takeUnretainedValue()
        guard let connection = context.connection,
            let reply = connection.removeReply(context.number)
        else { return }
        // Any client of a session bus can send a reply to another client's call.
        let sender = BusMessageReader(message: message).header().sender
        guard let expectedSender = reply.expectedSender, sender != expectedSender,
            sender?.hasPrefix(":") == true
        else { return reply.handler(connection.result(of: message)) }
        reply.handler(.failure(.invalid("The reply came from another sender.")))
    }

    fileprivate static func handleSignal(
        _ message: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) {
        let context = Unmanaged<SlotContext>.fromOpaque(context).takeUnretainedValue()
        guard let connection = context.connection,
            let match = connection.matches[context.number]
        else { return }
        connection.deliver(message, to: match)
    }

    fileprivate static func handleCall(
        _ message: OpaquePointer,
        _ context: UnsafeMutableRawPointer
    ) -> Int32 {
        let context = Unmanaged<SlotContext>.fromOpaque(context).takeUnretainedValue()
        guard let connection = context.connection,
            let handler = connection.services[context.number],
            case .success(let call) = connection.result(of: message), handler(call)
        else { return 0 }
        connection.acknowledge(message)
        return 1
    }

    /// Reads a reply or a signal, and turns an error reply into `.refused`.
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
        var copy = reader.header()
        guard let body = reader.values() else {
            return .failure(.invalid("The values of the message are unreadable or too large."))
        }
        copy.body = body
        return .success(copy)
    }
}

/// The sd-bus callback for replies.
func busReply(
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?,
    error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let message, let context { BusConnection.handleReply(message, context) }
    return 1
}

/// The sd-bus callback for signals.
func busSignal(
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?,
    error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    if let message, let context { BusConnection.handleSignal(message, context) }
    return 0
}

/// The sd-bus callback for method calls.
///
/// A result of 0 means an unknown call, which sd-bus refuses.
func busCall(
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?,
    error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return BusConnection.handleCall(message, context)
}

extension Duration {
    /// The duration in microseconds, at least 1.
    ///
    /// To sd-bus, 0 means the default timeout of sd-bus.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return .max }
        let sum = whole.partialValue
            .addingReportingOverflow(UInt64(clamping: attoseconds / 1_000_000_000_000))
        return sum.overflow ? .max : max(sum.partialValue, 1)
    }
}
#endif
