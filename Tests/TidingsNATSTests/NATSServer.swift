// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation
import TidingsCoreFixtures
import TidingsLock
import TidingsNATS

/// A server for one test, on loopback, on a free port and with a separate folder.
final class NATSServer: Sendable {
    struct Failure: Error {
        let text: String
    }

    private struct State {
        var program: ChildProgram?
        var pid: pid_t = 0
        var port = -1
    }

    let folder: URL
    private let settings: String
    private let state = Lock(State())

    /// Starts a server and waits until the server is ready.
    ///
    /// The strings have the lines of the server's configuration and of its JetStream block. The
    /// streams are in the server's folder, unless another store is named.
    init(
        _ settings: String = "",
        store: URL? = nil,
        jetStream: String? = "max_file_store: 1G"
    ) async throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("tidings-nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = store ?? folder.appendingPathComponent("store")
        let block = jetStream.map { "jetstream { store_dir: \"\(place.path)\", \($0) }" } ?? ""
        self.settings = settings + "\n" + block
        try await start()
    }

    deinit {
        let (program, folder) = (state.withLock { $0.program }, folder)
        // The end takes a while, and the threads for tasks are few, so a separate thread waits.
        Thread {
            program?.closeInput()
            program?.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }.start()
    }

    var port: Int { state.withLock { $0.port } }
    var address: String { "nats://127.0.0.1:\(port)" }

    /// Starts the server on the same folder and port as before.
    func start() async throws {
        try await Self.onThread { [self] in
            // Another program may hold the port for a moment.
            let end = Date(timeIntervalSinceNow: 240)
            while true {
                let facts = try launch()
                if facts.isReady { return }
                stop()
                let isTaken = facts.text.contains("address already in use")
                guard isTaken, Date() < end else { throw Failure(text: facts.text) }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    private func launch() throws -> Facts {
        let file = folder.appendingPathComponent("server.conf")
        try "listen: 127.0.0.1:\(port)\n\(settings)\n".write(
            to: file,
            atomically: true,
            encoding: .utf8
        )
        // The shell also ends the server if the tests end abruptly, because the pipe closes then.
        // The server's own process prints the process ID, because the server can be ready before
        // the parent process goes on.
        let script = """
            PATH=$PATH:/usr/sbin
            sh -c 'echo "pid $$"; exec nats-server -c "$0" 2>&1' "$0" &
            exec >/dev/null; cat >/dev/null; kill -9 $! 2>/dev/null
            """
        let program = try ChildProgram(["sh", "-c", script, file.path])
        let facts = Facts(program)
        state.withLock {
            $0.program = program
            ($0.pid, $0.port) = (facts.pid, facts.port ?? $0.port)
        }
        // The pipe must not fill.
        Thread { while !program.read(upToCount: 65_536).isEmpty {} }.start()
        return facts
    }

    /// Ends the server as a power failure would, and waits until the process is gone.
    func kill() async {
        try? await Self.onThread { [self] in
            let pid = state.withLock { $0.pid }
            if pid > 0 { Foundation.kill(pid, SIGKILL) }
            stop()
        }
    }

    /// Runs blocking code on a separate thread, because the threads for tasks are few.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            Thread { done.resume(with: Result(catching: body)) }.start()
        }
    }

    /// Stops the server's threads, so that the server neither answers nor closes.
    ///
    /// The signal returns before the threads have stopped, and the server could still answer.
    func pause() {
        let pid = state.withLock { $0.pid }
        // Zero would stop all processes of this group.
        precondition(pid > 0, "The server has not said its number.")
        Foundation.kill(pid, SIGSTOP)
        while !Self.isStopped(pid) { sched_yield() }
    }

    /// Whether all threads of a process are stopped, by the system's status of each thread.
    private static func isStopped(_ pid: pid_t) -> Bool {
        let tasks = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.allSatisfy { thread in
            let status = try? String(contentsOfFile: "\(tasks)/\(thread)/stat", encoding: .utf8)
            return status?.split(separator: ")").last?.hasPrefix(" T") ?? true
        }
    }

    /// Continues the server's threads.
    func resume() { Foundation.kill(state.withLock { $0.pid }, SIGCONT) }

    private func stop() {
        let program = state.withLock { state in
            defer { state.program = nil }
            return state.program
        }
        program?.closeInput()
        program?.waitUntilExit()
    }
}

extension NATSConfiguration {
    /// Limits that a busy machine keeps.
    ///
    /// A test of a fault shortens the limit that the test is about.
    static var patient: NATSConfiguration {
        var configuration = NATSConfiguration()
        configuration.connectTimeout = .seconds(30)
        configuration.writeDeadline = .seconds(30)
        configuration.answerTimeout = .seconds(30)
        configuration.pingInterval = .seconds(10)
        configuration.silence = .seconds(30)
        return configuration
    }
}

/// The output of the server until the server is ready or has ended.
private struct Facts {
    var pid: pid_t = 0
    var port: Int?
    var isReady = false
    var text = ""

    init(_ program: ChildProgram) {
        while let words = program.readLine() {
            text += words + "\n"
            if words.hasPrefix("pid ") { pid = pid_t(words.dropFirst(4)) ?? 0 }
            if words.contains("Listening for client connections on") {
                port = words.split(separator: ":").last.flatMap { Int($0) }
            }
            if words.contains("Server is ready") {
                isReady = true
                return
            }
        }
    }
}
#endif
