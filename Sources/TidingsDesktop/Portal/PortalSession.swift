// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// Shows notifications from inside a sandbox, through the desktop portal.
///
/// The portal does not report whether it showed a notification or why a notification was closed. A
/// denied permission is silent, and no event reports a close.
actor PortalSession: BusActor, NotificationSession {
    static let name = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Notification"

    let executor = BusExecutor(label: "tidings.portal")
    private let settings: DesktopSession.Settings
    private var state = PortalState()
    private var connection: BusConnection?
    /// Whether the portal delivers the responses by the program's name to this process.
    private var ownsName = false
    /// Whether the last start failed so recently that another attempt would also fail.
    private var isStartBlocked = false
    /// Whether the center was notified that the portal is gone.
    private var isReportedLost = false
    private var opening: Task<String?, Never>?
    private var events: (@Sendable (NotificationBackendEvent) -> Void)?

    nonisolated var currentFeatures: UserNotificationFeatures { PortalArguments.features }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(settings: DesktopSession.Settings) {
        self.settings = settings
    }

    nonisolated func introduce(_ program: NotifyArguments.Program) {
        enqueue { $0.state.program = program }
    }

    nonisolated func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        enqueue { session in
            session.events = events
            // The bus may have started the program for a response.
            if session.settings.onActivate != nil { _ = session.connectToBus() }
        }
    }

    func availability() async -> NotificationAvailability {
        if let reason = await open() { .unavailable(reason) } else { .available }
    }

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        if let reason = await open() { return .unavailable(reason) }
        if notification.isOnlyListed {
            // The portal's first version cannot list a notification without a bubble.
            await close(notification.identifier)
            return .accepted(degraded: notification.featuresOfListing)
        }
        let isBodyPlain = await isBodyPlain()
        let arguments = PortalArguments(
            notification,
            openTitle: state.program.openTitle,
            isBodyPlain: isBodyPlain,
            store: ownsName ? state.program.store : nil
        )
        // The entry is registered before the call, because a response can arrive before the reply.
        let previous = state.register(notification, arguments.keys)
        let name = state.name(of: notification.identifier)
        switch await call("AddNotification", [.string(name), arguments.options]) {
        case .success:
            return .accepted(degraded: arguments.degraded, handle: handle(of: name))
        case .failure(let error):
            state.rollBack(notification, previous)
            if case .refused = error { return .refused(error.text) }
            return .unavailable(error.text)
        }
    }

    func restore(
        _ shown: [ShownNotification]
    ) async -> [NotificationDelivery: NotificationHandle] {
        guard !shown.isEmpty, await open() == nil else { return [:] }
        var handles: [NotificationDelivery: NotificationHandle] = [:]
        for one in shown {
            let name = state.name(of: one.notification.identifier)
            guard one.handle == handle(of: name) else { continue }
            let keys = PortalArguments.keys(
                of: one.notification,
                openTitle: state.program.openTitle
            )
            _ = state.register(one.notification, keys)
            handles[one.notification.id] = one.handle
        }
        return handles
    }

    func close(_ identifier: String) async {
        let name = state.name(of: identifier)
        guard state.remove(identifier) else { return }
        _ = await call("RemoveNotification", [.string(name)])
    }

    /// Has no effect, because a sandboxed program cannot reach the launchers.
    func setBadge(_ count: Int) {}

    private func handle(of name: String) -> NotificationHandle? {
        guard let server = connection?.serverID, let owner = state.owner else { return nil }
        return NotificationHandle("portal1 \(server) \(owner) \(name)")
    }

    /// Returns whether the portal surely displays a body unchanged, asking once per owner.
    private func isBodyPlain() async -> Bool {
        if let known = state.isBodyPlain { return known }
        let owner = state.owner
        let reply = await call(
            "GetAll",
            [.string(Self.interface)],
            interface: "org.freedesktop.DBus.Properties"
        )
        switch reply {
        case .success(let message):
            let isPlain = PortalState.isBodyPlain(message.body.first?.asOptions ?? [:])
            if state.owner == owner { state.isBodyPlain = isPlain }
            return isPlain
        case .failure: return false
        }
    }

    private func call(
        _ member: String,
        _ body: [BusValue],
        interface: String = PortalSession.interface
    ) async -> Result<BusMessage, BusError> {
        guard let owner = state.owner else {
            return .failure(.disconnected("The desktop portal is not running."))
        }
        return await call(
            BusCall(
                destination: owner,
                path: Self.path,
                interface: interface,
                member: member,
                body: body
            )
        )
    }

    private func call(_ call: BusCall) async -> Result<BusMessage, BusError> {
        guard let connection else {
            return .failure(.disconnected("There is no connection to the message bus."))
        }
        let limit = settings.limit
        return await withCheckedContinuation { continuation in
            connection.call(call, limit: limit) { continuation.resume(returning: $0) }
        }
    }
}

extension PortalSession {
    /// Connects and starts the portal, once for all waiting callers, and returns the reason if that
    /// fails.
    private func open() async -> String? {
        if connection != nil, state.owner != nil { return nil }
        if let opening { return await opening.value }
        let task = Task { await connect() }
        opening = task
        let reason = await task.value
        opening = nil
        return reason
    }

    /// Connects to the bus and returns the reason if that fails.
    private func connectToBus() -> String? {
        guard connection == nil else { return nil }
        guard let address = settings.address() else {
            return "There is no desktop session. Run the program in one."
        }
        do throws(BusError) {
            let opened = try BusConnection(
                address: address,
                queue: executor.queue,
                wake: callback { $0.connection?.process() }
            )
            connection = opened
            opened.onLoss = callback { session, _ in session.lost() }
            if settings.onActivate != nil {
                opened.serveApplication(
                    state.program.id,
                    ownershipChanged: callback { $0.ownsName = $1 },
                    handler: callback { session, call in session.called(call) }
                )
            }
            addMatches(opened)
            return nil
        } catch {
            return error.text
        }
    }

    private func called(_ call: ApplicationCall) {
        switch call {
        case .activate(let token): settings.onActivate?(token)
        case .respond(let activation): events?(.activated(activation))
        case .deliver: break
        }
    }

    private func connect() async -> String? {
        if let reason = connectToBus() { return reason }
        let name = BusValue.string(Self.name)
        if !isStartBlocked,
            case .failure = await call(.ofBus("StartServiceByName", [name, .uint32(0)]))
        {
            isStartBlocked = true
            after(settings.startPause) { $0.isStartBlocked = false }
        }
        switch await call(.ofBus("GetNameOwner", [name])) {
        case .success(let message):
            ownerChanged(to: message.body.first?.asString)
            return state.owner == nil ? "The desktop portal is not running." : nil
        case .failure(let error): return "The desktop portal is not available: \(error.text)"
        }
    }

    private func addMatches(_ connection: BusConnection) {
        connection.match(
            DesktopNames.ownerRule(Self.name),
            filter: { $0.isOwnerChange },
            installed: { _ in },
            handler: callback { session, message in session.ownerChanged(to: message.newOwner) }
        )
        connection.match(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',"
                + "interface='\(Self.interface)',member='ActionInvoked'",
            filter: predicate { $0.state.owner == $1.sender && $1.signature == "ssav" },
            installed: { _ in },
            handler: callback { $0.received($1) }
        )
    }

    private func received(_ message: BusMessage) {
        guard let (name, event) = state.received(message.body, from: message.sender) else { return }
        events?(event)
        Task { await call("RemoveNotification", [.string(name)]) }
    }

    private func lost() {
        connection = nil
        ownsName = false
        ownerChanged(to: nil)
    }

    private func ownerChanged(to owner: String?) {
        let hadOwner = state.owner != nil
        for event in state.ownerChanged(to: owner) { events?(event) }
        if owner != nil, isReportedLost {
            isReportedLost = false
            events?(.availabilityChanged(.available))
        } else if owner == nil, hadOwner {
            Task { await reportLoss() }
        }
    }

    /// Reports that the portal is gone, unless the bus can start the portal again.
    private func reportLoss() async {
        if case .success(let message) = await call(.ofBus("ListActivatableNames")),
            message.names(Self.name), !isStartBlocked
        {
            return
        }
        guard state.owner == nil, !isReportedLost else { return }
        isReportedLost = true
        events?(.availabilityChanged(.unavailable("The desktop portal is not running.")))
    }
}
#endif
