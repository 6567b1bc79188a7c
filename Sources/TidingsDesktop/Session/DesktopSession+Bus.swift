// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DesktopSession {
    /// The timeout for the ID of a notification that was sent, or for a started daemon.
    ///
    /// The daemon replies when it resumes, or the bus replies when the daemon exits. A missed ID
    /// would leave a notification that cannot be closed. The caller's own timeout is
    /// ``Settings/limit``.
    static let longReplyLimit = Duration.seconds(86_400)

    /// Connects and adds the match rules before asking for the owner, so that no change is missed.
    func open() {
        guard let address = settings.address() else {
            return perform(
                state.lost(
                    "There is no desktop session: DBUS_SESSION_BUS_ADDRESS is not set, and "
                        + "XDG_RUNTIME_DIR has no bus. Run the program in a desktop session."
                )
            )
        }
        generation += 1
        let current = generation
        do throws(BusError) {
            let opened = try BusConnection(
                address: address,
                queue: executor.queue,
                wake: callback { $0.connection?.process() }
            )
            connection = opened
            opened.onLoss = callback { $0.lost($1, current) }
            handshake = Handshake()
            takeName(opened, current)
            beginHandshake(opened, current)
            after(settings.limit) { $0.handshakeTimedOut(current) }
        } catch {
            perform(state.lost(error.text))
            retry()
        }
    }

    private func beginHandshake(_ connection: BusConnection, _ current: Int) {
        connection.match(
            DesktopNames.ownerRule(DesktopNames.daemon),
            filter: { $0.isOwnerChange },
            installed: callback { $0.finishHandshakeStep($1, current) },
            handler: callback { $0.ownerChanged($1, current) }
        )
        connection.match(
            DesktopNames.signalRule,
            filter: predicate {
                $0.state.daemon?.owner == $1.sender && DaemonSignal.matches($1)
            },
            installed: callback { $0.finishHandshakeStep($1, current) },
            handler: callback { $0.received($1) }
        )
        let name = BusValue.string(DesktopNames.daemon)
        connection.call(
            .ofBus("GetNameOwner", [name]),
            limit: settings.limit,
            reply: callback { session, result in
                switch result {
                case .success(let message): session.handshake?.owner = message.text
                // The name has no owner.
                case .failure(.refused): break
                case .failure(let error): return session.lost(error.text, current)
                }
                session.finishHandshakeStep(current)
            }
        )
        connection.call(
            .ofBus("NameHasOwner", [.string(ProgramTimer.manager)]),
            limit: settings.limit,
            reply: callback { session, result in
                if case .success(let message) = result {
                    session.noteTimers(isPresent: message.body.first == .bool(true))
                }
                session.finishHandshakeStep(result, current)
            }
        )
        connection.call(
            .ofBus("ListActivatableNames"),
            limit: settings.limit,
            reply: callback { session, result in
                if case .success(let message) = result {
                    session.handshake?.isActivatable = message.names(DesktopNames.daemon)
                }
                session.finishHandshakeStep(result, current)
            }
        )
    }

    private func finishHandshakeStep(_ result: Result<BusMessage, BusError>, _ current: Int) {
        if case .failure(let error) = result {
            lost(error.text, current)
        } else {
            finishHandshakeStep(current)
        }
    }

    private func finishHandshakeStep(_ current: Int) {
        guard current == generation, handshake != nil else { return }
        handshake?.remainingSteps -= 1
        guard let handshake, handshake.remainingSteps == 0, let server = connection?.serverID
        else { return }
        self.handshake = nil
        resetRetryDelay()
        perform(
            state.opened(
                server: server,
                owner: handshake.owner,
                isActivatable: handshake.isActivatable
            )
        )
        if badge > 0 { emitBadge() }
        systemTimer = nil
        updateTimer()
    }

    /// Abandons a bus that accepts connections but does not respond.
    ///
    /// The timeout of sd-bus is much longer.
    private func handshakeTimedOut(_ current: Int) {
        guard handshake != nil else { return }
        lost("The message bus does not answer.", current, isUnresponsive: true)
    }

    private func lost(_ reason: String, _ current: Int, isUnresponsive: Bool = false) {
        guard current == generation else { return }
        generation += 1
        handshake = nil
        let old = connection
        connection = nil
        old?.close()
        perform(state.lost(reason, isUnresponsive: isUnresponsive))
        retry()
    }

    /// Disconnects from the bus, as at the end of the program.
    func end() {
        generation += 1
        connection?.close()
        connection = nil
    }

    private func ownerChanged(_ message: BusMessage, _ current: Int) {
        guard current == generation else { return }
        let owner = message.newOwner
        if handshake != nil {
            handshake?.owner = owner
        } else {
            perform(state.ownerChanged(to: owner))
        }
    }

    private func received(_ message: BusMessage) {
        guard let signal = DaemonSignal(message) else { return }
        perform(state.received(signal, from: message.sender))
    }

    /// Asks the owner for the name and the capabilities.
    func describe(_ owner: String) {
        server = ""
        connection?
            .call(
                .ofDaemon(owner, "GetServerInformation"),
                limit: settings.limit,
                reply: callback { session, result in
                    if case .success(let message) = result { session.server = message.text ?? "" }
                }
            )
        connection?
            .call(
                .ofDaemon(owner, "GetCapabilities"),
                limit: settings.limit,
                reply: callback { session, result in session.described(owner, result) }
            )
    }

    private func described(_ owner: String, _ result: Result<BusMessage, BusError>) {
        let capabilities: DaemonCapabilities? =
            switch result {
            case .success(let message):
                DaemonCapabilities(message.body.first?.asStrings ?? [], server: server)
            case .failure(.refused(let name, _)) where name.hasSuffix(".UnknownMethod"):
                DaemonCapabilities(["body"])
            case .failure: nil
            }
        perform(state.described(owner: owner, capabilities))
    }

    /// Calls `Notify` and reports the result to the state.
    func send(_ notify: DaemonState.Notify) {
        let call = BusCall.ofDaemon(
            notify.owner,
            "Notify",
            body: notify.arguments.body(replacing: notify.replaced)
        )
        guard let connection else {
            let error = BusError.disconnected("There is no connection to the message bus.")
            return perform(state.notifyReturned(notify.number, .failure(error)))
        }
        connection.call(
            call,
            limit: Self.longReplyLimit,
            reply: callback { session, result in
                let id = result.map { $0.body.first?.asUInt32 ?? 0 }
                session.perform(session.state.notifyReturned(notify.number, id))
            }
        )
    }
}
#endif
