// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
/// The program in which a user changes a desktop's settings of notifications.
enum SettingsProgram {
    /// Returns the command for the desktop of the session, or nil if the desktop is unknown or the
    /// command is not installed.
    ///
    /// - Parameters:
    ///   - server: The name that the notification daemon reports, or an empty string without a
    ///     daemon.
    ///   - environment: Returns a variable of the environment.
    /// - Returns: The path of the program and the arguments.
    static func command(server: String, environment: (String) -> String?) -> [String]? {
        let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":")
        // The daemon comes first, because a user may run another daemon than the desktop's.
        let names = [server] + desktops.map(String.init)
        let programs = environment("PATH")
        for command in names.flatMap({ commands[$0.lowercased()] ?? [] }) {
            if let path = DesktopProgram.path(of: command[0], in: programs) {
                return [path] + command.dropFirst()
            }
        }
        return nil
    }

    private static let gnome = [["gnome-control-center", "notifications"]]
    private static let plasma = [
        ["systemsettings", "kcm_notifications"], ["kcmshell6", "kcm_notifications"],
        ["systemsettings5", "kcm_notifications"], ["kcmshell5", "kcm_notifications"],
    ]
    private static let xfce = [["xfce4-notifyd-config"]]
    private static let lxqt = [["lxqt-config-notificationd"]]
    private static let mate = [["mate-notification-properties"]]
    private static let cinnamon = [["cinnamon-settings", "notifications"]]

    /// The commands by the names of daemons and desktops, in lower case.
    private static let commands = [
        "gnome-shell": gnome, "gnome": gnome, "plasma": plasma, "kde": plasma,
        "xfce notify daemon": xfce, "xfce": xfce, "lxqt-notificationd": lxqt, "lxqt": lxqt,
        "mate": mate, "cinnamon": cinnamon, "x-cinnamon": cinnamon,
    ]
}
#endif
