// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import CTidingsSystemd
internal import Dispatch
internal import Glibc
import TidingsLock

/// Another program of the desktop, started without a shell.
enum DesktopProgram {
    /// Returns the path of a program in the folders of `PATH`, or nil if the program is not
    /// installed.
    static func path(of name: String, in folders: String?) -> String? {
        (folders ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .filter { $0.hasPrefix("/") }
            .map { "\($0)/\(name)" }
            .first { isFile($0) && access($0, X_OK) == 0 }
    }

    /// Returns whether a path leads to a regular file, which can be read to the end.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Starts a program in a separate session, so that no signal of this program's terminal ends
    /// it.
    ///
    /// The started program inherits none of this program's open files.
    ///
    /// - Parameters:
    ///   - command: The path of the program and the arguments.
    ///   - limit: The time after which the program is killed, or nil for no limit.
    ///   - ended: Called on another thread when the program has ended.
    /// - Returns: Whether the program was started.
    static func start(
        _ command: [String],
        limit: Duration? = nil,
        ended: @escaping @Sendable () -> Void = {}
    ) -> Bool {
        guard let process = spawn(command) else { return false }
        let running = Running(process)
        // A separate thread is used, because the program may run for long.
        DispatchQueue(label: "tidings.program").async {
            running.wait()
            ended()
        }
        if let limit {
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.asInterval) {
                running.kill()
            }
        }
        return true
    }

    /// A started program, which is killed only while the process number is still in use by that
    /// program.
    private final class Running: Sendable {
        private let process: pid_t
        private let isRunning = Lock(true)

        init(_ process: pid_t) { self.process = process }

        func wait() {
            var information = siginfo_t()
            // The call does not reap the process, because the number could then already belong to
            // another process.
            while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 {
                // Any other error means that this program reaps all children elsewhere.
                guard errno == EINTR else { break }
            }
            isRunning.withLock { isRunning in
                isRunning = false
                while waitpid(process, nil, 0) == -1, errno == EINTR {}
            }
        }

        func kill() {
            isRunning.withLock { isRunning in
                if isRunning { _ = Glibc.kill(process, SIGKILL) }
            }
        }
    }

    private static func spawn(_ command: [String]) -> pid_t? {
        guard let path = command.first, !command.contains(where: { $0.utf8.contains(0) }) else {
            return nil
        }
        var arguments = command.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        return tidings_program_start(&process, path, &arguments) == 0 ? process : nil
    }
}
#endif
