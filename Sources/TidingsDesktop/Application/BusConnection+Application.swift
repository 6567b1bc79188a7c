// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
extension BusConnection {
    /// Takes a program's name and handles the calls to that name.
    ///
    /// The object comes before the name, because the bus delivers the call that has started the
    /// program as soon as the program has the name. While another process of the program has the
    /// name, this process waits for the name.
    ///
    /// - Parameters:
    ///   - id: The program's identifier, which is also the name.
    ///   - ownershipChanged: Called with whether this connection owns the name, before the reply
    ///     to any later call arrives.
    ///   - handler: Called for each call.
    func serveApplication(
        _ id: String,
        ownershipChanged: @escaping (Bool) -> Void = { _ in },
        handler: @escaping (ApplicationCall) -> Void
    ) {
        let path = ApplicationCall.path(of: id)
        let isServed: Void? = try? serve(path) { message in
            guard let call = ApplicationCall(message) else { return false }
            handler(call)
            return true
        }
        guard isServed != nil else { return }
        match(
            DesktopNames.ownershipRule(id),
            filter: { $0.isOwnershipSignal },
            installed: { _ in },
            handler: { ownershipChanged($0.member == "NameAcquired") }
        )
        call(.ofBus("RequestName", [.string(id), .uint32(0)]), limit: .seconds(60)) { reply in
            // 1 means that the connection has become the owner, and 4 that it already was.
            let result = (try? reply.get())?.body.first?.asUInt32
            ownershipChanged(result == 1 || result == 4)
        }
    }
}
#endif
