// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
extension BusConnection {
    /// Takes a program's name and handles the calls to it.
    ///
    /// The object comes before the name: with the name the bus delivers the call for which it has
    /// started the program. While another process of the program has the name, this one waits for
    /// it.
    ///
    /// - Parameters:
    ///   - id: The program's identifier, which is the name.
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
            // 1: it has become the owner; 4: it already was.
            let result = (try? reply.get())?.body.first?.asUInt32
            ownershipChanged(result == 1 || result == 4)
        }
    }
}
#endif
