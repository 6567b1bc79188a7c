// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The user's desktop session, if there is one.
enum Desktop {
    /// Opens an address in the browser, or a file in its program.
    ///
    /// - Parameters:
    ///   - address: The address, or the absolute path of the file.
    ///   - activationToken: The token that permits the program's window to come to the front.
    /// - Returns: False without a desktop session or `xdg-open`.
    @discardableResult
    static func open(_ address: String, activationToken: String? = nil) -> Bool {
        var environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil,
            let opener = path(of: "xdg-open", in: environment["PATH"])
        else { return false }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [address]
        if let activationToken {
            environment["XDG_ACTIVATION_TOKEN"] = activationToken
            environment["DESKTOP_STARTUP_ID"] = activationToken
            process.environment = environment
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) != nil
    }

    private static func path(of program: String, in folders: String?) -> String? {
        (folders ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { "\($0)/\(program)" }
            .first(where: FileManager.default.isExecutableFile)
    }
}
