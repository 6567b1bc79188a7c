// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

/// Shows notifications out of a sandbox, through the portal of the desktop.
///
/// The portal does not say whether it has shown anything, nor why it went: a person's refusal is
/// silent, and there is no end to tell of.
actor PortalSession: BusActor, DesktopRoute {
    static let name = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.portal.Notification"

    let executor = BusExecutor(label: "tidings.portal")
    private let settings: DesktopSession.Settings
    private var state = PortalState()
    private var connection: BusConnection?
    /// Whether a start of the portal has failed so recently that another one would, too.
    private var isStartBarred = false
    private var opening: Task<String?, Never>?
    private var events: (@Sendable (NotificationBackendEvent) -> Void)?

    nonisolated var currentFeatures: NotificationFeatures { PortalArguments.features }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(settings: DesktopSession.Settings) {
        self.settings = settings
    }

    nonisolated func introduce(_ program: NotifyArguments.Program) {
        soon { $0.state.program = program }
    }

    nonisolated func begin(_ events: @escaping @Sendable (NotificationBackendEvent) -> Void) {
        soon { $0.events = events }
    }

    func availability() async -> NotificationAvailability {
        if let reason = await open() { .unavailable(reason) } else { .available }
    }

    func show(_ notification: UserNotification) async -> NotificationBackendResult {
        if let reason = await open() { return .unavailable(reason) }
        let arguments = PortalArguments(notification, openTitle: state.program.openTitle)
        // Before the call: a quick person is faster than its answer.
        let before = state.shows(notification, arguments.keys)
        let name = state.name(of: notification.identifier)
        switch await call("AddNotification", [.string(name), arguments.options]) {
        case .success:
            return .accepted(degraded: arguments.degraded, handle: handle(of: name))
        case .failure(let error):
            state.failed(notification, before)
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
            let arguments = PortalArguments(one.notification, openTitle: state.program.openTitle)
            _ = state.shows(one.notification, arguments.keys)
            handles[one.notification.id] = one.handle
        }
        return handles
    }

    func close(_ identifier: String) async {
        let name = state.name(of: identifier)
        guard state.closes(identifier) else { return }
        _ = await call("RemoveNotification", [.string(name)])
    }

    /// A sandbox keeps launchers out of reach.
    func setBadge(_ count: Int) {}

    private func handle(of name: String) -> NotificationHandle? {
        guard let server = connection?.serverID, let owner = state.owner else { return nil }
        return NotificationHandle("portal1 \(server) \(owner) \(name)")
    }

    private func call(_ member: String, _ body: [BusValue]) async -> Result<BusMessage, BusError> {
        guard let owner = state.owner else {
            return .failure(.disconnected("The portal has gone."))
        }
        return await call(
            BusCall(
                destination: owner,
                path: Self.path,
                interface: Self.interface,
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
    /// Connects and has the portal started, once for all who wait; returns why that did not work.
    private func open() async -> String? {
        if connection != nil, state.owner != nil { return nil }
        if let opening { return await opening.value }
        let task = Task { await connect() }
        opening = task
        let reason = await task.value
        opening = nil
        return reason
    }

    private func connect() async -> String? {
        if connection == nil {
            guard let address = settings.address() else { return "There is no desktop session." }
            do throws(BusError) {
                let opened = try BusConnection(
                    address: address,
                    queue: executor.queue,
                    wake: here { $0.connection?.process() }
                )
                connection = opened
                opened.onLoss = here { session, _ in session.lost() }
                listen(opened)
            } catch {
                return error.text
            }
        }
        let name = BusValue.string(Self.name)
        if !isStartBarred,
            case .failure = await call(.ofBus("StartServiceByName", [name, .uint32(0)]))
        {
            isStartBarred = true
            after(settings.startPause) { $0.isStartBarred = false }
        }
        switch await call(.ofBus("GetNameOwner", [name])) {
        case .success(let message):
            tell(state.ownerChanged(to: message.body.first?.asString))
            return state.owner == nil ? "There is no portal." : nil
        case .failure(let error): return "There is no portal: \(error.text)"
        }
    }

    private func listen(_ connection: BusConnection) {
        connection.match(
            DesktopNames.ownerRule(Self.name),
            isWanted: { $0.isOwnerChange },
            installed: { _ in },
            handler: here { session, message in
                session.tell(session.state.ownerChanged(to: message.newOwner))
            }
        )
        connection.match(
            "type='signal',sender='\(Self.name)',path='\(Self.path)',"
                + "interface='\(Self.interface)',member='ActionInvoked'",
            isWanted: asked { $0.state.owner == $1.sender && $1.signature == "ssav" },
            installed: { _ in },
            handler: here { $0.heard($1) }
        )
    }

    private func heard(_ message: BusMessage) {
        guard let (name, event) = state.heard(message.body, from: message.sender) else { return }
        events?(event)
        Task { await call("RemoveNotification", [.string(name)]) }
    }

    private func lost() {
        connection = nil
        tell(state.ownerChanged(to: nil))
    }

    private func tell(_ told: [NotificationBackendEvent]) {
        for event in told { events?(event) }
    }
}
