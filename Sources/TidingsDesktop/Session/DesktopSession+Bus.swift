// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DesktopSession {
    /// How long the number of a notification is awaited that was sent.
    ///
    /// Its daemon answers whenever it wakes up, or the bus when it is gone, and the number must not
    /// be missed. Who awaits the result does not wait that long.
    static let patience = Duration.seconds(86_400)

    /// Connects, listens, and then finds out who is there, so that no change is missed.
    func open() {
        guard let address = settings.address() else {
            return perform(
                state.lost(
                    "There is no desktop session: DBUS_SESSION_BUS_ADDRESS is not set, and "
                        + "XDG_RUNTIME_DIR has no bus."
                )
            )
        }
        generation += 1
        let current = generation
        do throws(BusError) {
            let opened = try BusConnection(
                address: address,
                queue: executor.queue,
                wake: here { $0.connection?.process() }
            )
            connection = opened
            opened.onLoss = here { $0.lost($1, current) }
            greeting = Greeting()
            greet(opened, current)
            after(settings.limit) { $0.greetingIsLate(current) }
        } catch {
            perform(state.lost(error.text))
            retry()
        }
    }

    private func greet(_ connection: BusConnection, _ current: Int) {
        connection.match(
            DesktopNames.ownerRule(DesktopNames.daemon),
            isWanted: { $0.isOwnerChange },
            installed: here { $0.greeted($1, current) },
            handler: here { $0.ownerChanged($1, current) }
        )
        connection.match(
            DesktopNames.signalRule,
            isWanted: asked { $0.state.daemon?.owner == $1.sender && DaemonSignal.isOne($1) },
            installed: here { $0.greeted($1, current) },
            handler: here { $0.heard($1) }
        )
        let name = BusValue.string(DesktopNames.daemon)
        connection.call(
            .ofBus("GetNameOwner", [name]),
            limit: settings.limit,
            reply: here { session, result in
                switch result {
                case .success(let message): session.greeting?.owner = message.text
                // Nobody owns it: that is an answer, too.
                case .failure(.refused): break
                case .failure(let error): return session.lost(error.text, current)
                }
                session.greeted(current)
            }
        )
        connection.call(
            .ofBus("ListActivatableNames"),
            limit: settings.limit,
            reply: here { session, result in
                if case .success(let message) = result {
                    session.greeting?.isActivatable = message.names(DesktopNames.daemon)
                }
                session.greeted(result, current)
            }
        )
    }

    private func greeted(_ result: Result<BusMessage, BusError>, _ current: Int) {
        if case .failure(let error) = result {
            lost(error.text, current)
        } else {
            greeted(current)
        }
    }

    private func greeted(_ current: Int) {
        guard current == generation, greeting != nil else { return }
        greeting?.awaited -= 1
        guard let greeting, greeting.awaited == 0, let server = connection?.serverID else { return }
        self.greeting = nil
        retryAnew()
        perform(
            state.opened(
                server: server,
                owner: greeting.owner,
                isActivatable: greeting.isActivatable
            )
        )
        if badge > 0 { emitBadge() }
    }

    /// Nobody waits for a bus that takes connections and says nothing, which sd-bus does for long.
    private func greetingIsLate(_ current: Int) {
        guard greeting != nil else { return }
        lost("The message bus does not answer.", current, isSilent: true)
    }

    private func lost(_ reason: String, _ current: Int, isSilent: Bool = false) {
        guard current == generation else { return }
        generation += 1
        greeting = nil
        let old = connection
        connection = nil
        old?.close()
        perform(state.lost(reason, isSilent: isSilent))
        retry()
    }

    /// Leaves the bus, as the end of the program does.
    func end() {
        generation += 1
        connection?.close()
        connection = nil
    }

    private func ownerChanged(_ message: BusMessage, _ current: Int) {
        guard current == generation else { return }
        let owner = message.newOwner
        if greeting != nil {
            greeting?.owner = owner
        } else {
            perform(state.ownerChanged(to: owner))
        }
    }

    private func heard(_ message: BusMessage) {
        guard let signal = DaemonSignal(message) else { return }
        perform(state.heard(signal, from: message.sender))
    }

    func describe(_ owner: String) {
        server = ""
        connection?
            .call(
                .ofDaemon(owner, "GetServerInformation"),
                limit: settings.limit,
                reply: here { session, result in
                    if case .success(let message) = result { session.server = message.text ?? "" }
                }
            )
        connection?
            .call(
                .ofDaemon(owner, "GetCapabilities"),
                limit: settings.limit,
                reply: here { session, result in session.described(owner, result) }
            )
    }

    private func described(_ owner: String, _ result: Result<BusMessage, BusError>) {
        let traits: DaemonTraits? =
            switch result {
            case .success(let message):
                DaemonTraits(capabilities: message.body.first?.asStrings ?? [], server: server)
            case .failure(.refused(let name, _)) where name.hasSuffix(".UnknownMethod"):
                DaemonTraits(capabilities: ["body"])
            case .failure: nil
            }
        perform(state.described(owner: owner, traits))
    }

    func send(_ notify: DaemonState.Notify) {
        let call = BusCall.ofDaemon(
            notify.owner,
            "Notify",
            notify.arguments.body(replacing: notify.replaced)
        )
        guard let connection else {
            let error = BusError.disconnected("There is no connection to the message bus.")
            return perform(state.notified(notify.number, .failure(error)))
        }
        connection.call(
            call,
            limit: Self.patience,
            reply: here { session, result in
                let id = result.map { $0.body.first?.asUInt32 ?? 0 }
                session.perform(session.state.notified(notify.number, id))
            }
        )
    }
}
