// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

extension DesktopSession {
    /// Takes the program's name if the program can be activated.
    func takeName(_ connection: BusConnection, _ current: Int) {
        guard settings.onActivate != nil else { return }
        connection.serveApplication(
            state.program.id,
            handler: callback { session, call in
                if current == session.generation { session.called(call) }
            }
        )
    }

    private func called(_ call: ApplicationCall) {
        switch call {
        case .activate(let token): settings.onActivate?(token)
        case .respond(let activation): perform([.deliver(.activated(activation))])
        case .deliver: break
        }
    }
}
#endif
