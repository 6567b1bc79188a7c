// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The user's desktop session, if there is one.
enum Desktop {
    /// Opens an address in the browser, or a file in the file's program.
    ///
    /// - Parameters:
    ///   - address: The address, or the absolute path of the file.
    ///   - activationToken: The token that permits the program's window to come to the front.
    /// - Returns: False without a desktop session or `xdg-open`.
    @discardableResult
    static func open(_ address: String, activationToken: String? = nil) -> Bool {
        guard let opener else { return false }
        let process = process(opener, [address])
        if let activationToken {
            var environment = ProcessInfo.processInfo.environment
            environment["XDG_ACTIVATION_TOKEN"] = activationToken
            environment["DESKTOP_STARTUP_ID"] = activationToken
            process.environment = environment
        }
        return (try? process.run()) != nil
    }

    /// The closure that shows a file, or a folder, in the file manager, or nil without a desktop
    /// session.
    static var fileManager: (@Sendable (String) async -> Bool)? {
        guard opener != nil else { return nil }
        return { path in
            if await select(path) { return true }
            let isFolder =
                (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]))?
                .isDirectory == true
            return open(isFolder ? path : (path as NSString).deletingLastPathComponent)
        }
    }

    /// Asks the session's file manager to select a file, and returns false if none does.
    private static func select(_ path: String) async -> Bool {
        let environment = ProcessInfo.processInfo.environment
        guard let busctl = Self.path(of: "busctl", in: environment["PATH"]) else { return false }
        let process = process(
            busctl,
            [
                "--user", "--timeout=10", "call", "org.freedesktop.FileManager1",
                "/org/freedesktop/FileManager1", "org.freedesktop.FileManager1", "ShowItems",
                "ass", "1", URL(fileURLWithPath: path).absoluteString, "",
            ]
        )
        return await withCheckedContinuation { continuation in
            process.terminationHandler = {
                continuation.resume(returning: $0.terminationStatus == 0)
            }
            do { try process.run() } catch { continuation.resume(returning: false) }
        }
    }

    /// Returns the icon of the program's notifications.
    ///
    /// The icon is a file as long as no icon is installed, which is the case before `make install`.
    /// Afterwards the function returns nil.
    static func icon(
        _ file: String?,
        unlessInstalledAs name: String,
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let own = environment["XDG_DATA_HOME"] ?? environment["HOME"].map { "\($0)/.local/share" }
        let shared = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
        let folders = [own].compactMap(\.self) + shared.split(separator: ":").map(String.init)
        let isInstalled = folders.contains { folder in
            FileManager.default.fileExists(
                atPath: "\(folder)/icons/hicolor/scalable/apps/\(name).svg"
            )
        }
        return isInstalled ? nil : file
    }

    /// The program that opens addresses and files, or nil without a desktop session.
    private static var opener: String? {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
            return nil
        }
        return path(of: "xdg-open", in: environment["PATH"])
    }

    /// Returns a program that reads and prints nothing.
    private static func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    private static func path(of program: String, in folders: String?) -> String? {
        (folders ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { "\($0)/\(program)" }
            .first(where: FileManager.default.isExecutableFile)
    }
}
