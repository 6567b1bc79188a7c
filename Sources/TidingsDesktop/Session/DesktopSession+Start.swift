// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DesktopSession {
    /// Has the bus start a daemon, if one is installed as a D-Bus service.
    ///
    /// Callers wait for the daemon at most ``Settings/limit``. The bus keeps waiting, and the
    /// session handles the bus's reply. Before that reply, a second attempt would only join the
    /// first attempt.
    func startDaemon() {
        startGeneration += 1
        let number = startGeneration
        after(settings.limit) { session in
            guard number == session.startGeneration else { return }
            session.perform(
                session.state.startTimedOut(
                    "The notification daemon was started but did not appear on the bus in time."
                )
            )
        }
        connection?
            .call(
                .ofBus("ListActivatableNames"),
                limit: settings.limit,
                reply: callback { session, result in
                    switch result {
                    case .success(let message) where message.names(DesktopNames.daemon):
                        session.startKnownDaemon(number)
                    case .success:
                        let reason = "No notification daemon is running. Install or start one."
                        session.startEnded(reason, isActivatable: false, number)
                    case .failure(let error):
                        let reason = "The message bus does not list its services: \(error.text)"
                        session.startEnded(reason, isActivatable: false, number)
                    }
                }
            )
    }

    private func startKnownDaemon(_ number: Int) {
        connection?
            .call(
                .ofBus("StartServiceByName", [.string(DesktopNames.daemon), .uint32(0)]),
                limit: Self.longReplyLimit,
                reply: callback { session, result in
                    var reason = "it did not take the name \(DesktopNames.daemon)"
                    if case .failure(let error) = result { reason = error.text }
                    session.startEnded(
                        "The notification daemon cannot be started: \(reason)",
                        isActivatable: true,
                        number
                    )
                }
            )
    }

    /// Reports a failed start, because a successfully started daemon already owns the name here.
    private func startEnded(_ reason: String, isActivatable: Bool, _ number: Int) {
        guard number == startGeneration, state.daemon == nil else { return }
        perform(state.startFailed(reason, isActivatable: isActivatable))
        after(settings.startPause) { session in
            if number == session.startGeneration { session.state.allowStart() }
        }
    }
}
#endif
