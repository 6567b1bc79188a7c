// SPDX-License-Identifier: Apache-2.0
internal import TidingsUserNotifications

extension DesktopSession {
    /// Has the bus start a daemon, if it knows how to.
    ///
    /// It is waited for no longer than anybody else. The bus waits on, and its answer is heard: until
    /// then a second attempt would only join the first.
    func startDaemon() {
        startNumber += 1
        let number = startNumber
        after(settings.limit) { session in
            guard number == session.startNumber else { return }
            session.perform(
                session.state.startIsLate(
                    "The program that shows notifications was started and does not come."
                )
            )
        }
        connection?
            .call(
                .ofBus("ListActivatableNames"),
                limit: settings.limit,
                reply: here { session, result in
                    if case .success(let message) = result, message.names(DesktopNames.daemon) {
                        session.startKnownDaemon(number)
                    } else {
                        let reason = "No program that shows notifications is running."
                        session.startEnded(reason, isActivatable: false, number)
                    }
                }
            )
    }

    private func startKnownDaemon(_ number: Int) {
        connection?
            .call(
                .ofBus("StartServiceByName", [.string(DesktopNames.daemon), .uint32(0)]),
                limit: Self.patience,
                reply: here { session, result in
                    var reason = "it does not show notifications"
                    if case .failure(let error) = result { reason = error.text }
                    session.startEnded(
                        "The program that shows notifications cannot be started: \(reason)",
                        isActivatable: true,
                        number
                    )
                }
            )
    }

    /// Whoever was started successfully has become the owner before.
    private func startEnded(_ reason: String, isActivatable: Bool, _ number: Int) {
        guard number == startNumber, state.daemon == nil else { return }
        perform(state.startFailed(reason, isActivatable: isActivatable))
        after(settings.startPause) { session in
            if number == session.startNumber { session.state.startIsAllowed() }
        }
    }
}
