// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd

extension BusConnection {
    /// Handles method calls at a path from now on and answers these calls without values.
    ///
    /// - Parameters:
    ///   - path: The path of the object.
    ///   - handler: Called for each call. The handler returns false for an unknown call, which is
    ///     refused.
    /// - Throws: `.invalid` for an invalid path, or `.disconnected` without a connection.
    func serve(_ path: String, handler: @escaping (BusMessage) -> Bool) throws(BusError) {
        let bus = try openBus()
        let number = nextNumber()
        services[number] = handler
        do throws(BusError) {
            try addSlot(number) { slot, context in
                sd_bus_add_object(bus, &slot, path, busCall, context)
            }
        } catch {
            services[number] = nil
            throw error
        }
    }

    /// Replies to a call without values.
    func acknowledge(_ call: OpaquePointer) {
        var reply: OpaquePointer?
        guard let bus = try? openBus(), sd_bus_message_get_expect_reply(call) > 0,
            sd_bus_message_new_method_return(call, &reply) >= 0
        else { return }
        defer { sd_bus_message_unref(reply) }
        // If the connection is lost now, the wait of the caller also ends.
        _ = sd_bus_send(bus, reply, nil)
        arm()
    }
}
#endif
