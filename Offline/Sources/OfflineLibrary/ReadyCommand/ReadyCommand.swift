// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
package import OfflineModel
import Tidings

/// A program with fixed arguments that runs for each item that becomes ready.
///
/// The program runs without a shell and gets the facts of the item as environment variables, so
/// that text from a server never becomes a part of a command.
package struct ReadyCommand: Hashable, Sendable {
    /// The time after which the program is killed.
    static let wallClock = Duration.seconds(300)
    /// The variables of this process that the program inherits.
    private static let inherited = [
        "HOME", "USER", "LOGNAME", "LANG", "TZ", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
        "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// The absolute path of the program.
    package let executable: String
    /// The arguments, the same for each item.
    package let arguments: [String]

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - program: The path of the program, or a name in one of the folders of `PATH`.
    ///   - arguments: The arguments.
    /// - Throws: `LibraryError` with `.invalidSetting` if the program cannot be run.
    package init(_ program: String, arguments: [String]) throws(LibraryError) {
        let path: String?
        if program.contains("/") {
            path = URL(filePath: program).path
        } else {
            path = try? MediaTool(name: program).path()
        }
        var isFolder: ObjCBool = false
        guard !program.isEmpty, let path, FileManager.default.isExecutableFile(atPath: path),
            FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue
        else {
            throw LibraryError(
                .invalidSetting,
                "“\(program.prefix(200))” is no program that can be run. Use the path of an "
                    + "executable file, or the name of an installed program."
            )
        }
        executable = path
        self.arguments = arguments
    }

    /// Runs the program for an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - file: The path of the item's file.
    ///   - directory: The working directory.
    /// - Returns: The reason for a failure, or nil after a success or if the task was cancelled.
    func run(for item: MediaItem, file: String, in directory: String) async -> String? {
        var child = ChildProcess(
            executable: executable,
            arguments: arguments,
            directory: directory
        )
        child.limits.cpuSeconds = 300
        child.limits.memoryBytes = 16 << 30
        child.limits.fileBytes = 1 << 40
        child.limits.wallClock = Self.wallClock
        child.limits.outputBytes = 0
        child.keepsNetwork = true
        let environment = ProcessInfo.processInfo.environment
        child.variables = Self.inherited.compactMap { name in
            environment[name].map { "\(name)=\($0)" }
        }
        child.variables += [
            "OFFLINE_ID=\(item.id)", "OFFLINE_FILE=\(file)",
            "OFFLINE_TITLE=\(Self.variable(item.title))",
            "OFFLINE_ADDRESS=\(Self.variable(item.origin.text))",
        ]
        do {
            switch try await child.run().status {
            case .exited(0): return nil
            case .exited(let code): return "it exited with code \(code)"
            case .killed(let signal): return "signal \(signal) ended it"
            }
        } catch {
            switch error.code {
            case .cancelled: return nil
            case .timedOut: return "it ran longer than five minutes and was stopped"
            case .toolMissing, .cannotRead, .notMedia, .incomplete, .formatChanges, .wrongKey,
                .tooLarge, .noSpace, .failed:
                return "it could not be started"
            }
        }
    }

    /// Returns a text for a variable, shortened and without NUL, which would end the variable.
    private static func variable(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0 != "\0" }.map(Character.init).prefix(32_768))
    }
}
