import CTidingsChild
import Glibc
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// One run of a program, from start to reaping, on one thread.
final class ChildRun {
    private let child: ChildProcess
    private let stop: ChildStop
    private let deadline: ContinuousClock.Instant
    private let process: pid_t
    private let alarm: Pipe
    private var output: Descriptor?
    private var errors: Descriptor?
    private var feeder: ChildFeeder?
    private var result = ChildProcess.Result(status: .exited(0))
    private var tail: [UInt8] = []
    private var hasEnded = false

    private static let tailLength = 8192

    /// Starts the program.
    init(_ child: ChildProcess, stop: ChildStop) throws(MediaError) {
        self.child = child
        self.stop = stop
        deadline = .now + child.limits.wallClock
        // A child that closes its input early must be an error of the write and no signal.
        Self.blockPipeSignal()
        alarm = try Pipe()
        guard !stop.setAlarm(alarm.writeEnd.raw) else {
            _ = stop.setAlarm(nil)
            throw Self.cancelled()
        }
        do throws(MediaError) {
            let input = try Pipe()
            let output = try Pipe()
            let errors = try Pipe()
            process = try Self.start(child, input: input, output: output, errors: errors)
            feeder = ChildFeeder(child.input, into: input.writeEnd)
            self.output = output.readEnd
            self.errors = errors.readEnd
        } catch {
            _ = stop.setAlarm(nil)
            throw error
        }
    }

    deinit {
        // After this nobody writes to the alarm, which closes next.
        _ = stop.setAlarm(nil)
        if !hasEnded { Self.killAndReap(process) }
    }

    /// Feeds the program, keeps what it says, and returns when it has ended.
    func finish(
        progress: (Int64) -> Void
    ) throws(MediaError) -> ChildProcess.Result {
        while output != nil || errors != nil {
            try turn(progress: progress)
        }
        if feeder != nil { result.tookAllInput = false }
        feeder = nil
        result.status = try reap()
        result.errorTail = Self.printable(tail)
        return result
    }

    /// Waits until something can be done and does it.
    private func turn(progress: (Int64) -> Void) throws(MediaError) {
        let events = try wait(
            output: output?.raw ?? -1,
            errors: errors?.raw ?? -1,
            input: feeder?.descriptor ?? -1
        )
        if events.output { try readOutput() }
        if events.errors { try readErrors() }
        guard events.input else { return }
        let before = result.fedBytes
        switch try feeder?.pump() {
        case .wrote(let count)?: result.fedBytes += Int64(count)
        case .ended?, nil: feeder = nil
        case .refused?:
            feeder = nil
            result.tookAllInput = false
        }
        if result.fedBytes > before { progress(result.fedBytes) }
    }

    private func wait(
        output: Int32,
        errors: Int32,
        input: Int32
    ) throws(MediaError) -> (output: Bool, errors: Bool, input: Bool) {
        var polled = [
            pollfd(fd: alarm.readEnd.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
        ]
        let left = max(deadline - .now, .zero) / .milliseconds(1)
        let count = poll(&polled, 4, Int32(min(left + 1, 3_600_000)))
        if polled[0].revents != 0 { throw Self.cancelled() }
        if count <= 0, deadline <= .now { throw timedOut() }
        return (polled[1].revents != 0, polled[2].revents != 0, polled[3].revents != 0)
    }

    private func readOutput() throws(MediaError) {
        guard let bytes = Self.read(output?.raw ?? -1) else {
            output = nil
            return
        }
        let room = child.limits.outputBytes - result.output.count
        result.output += bytes.prefix(room)
        result.isOutputCut = result.isOutputCut || bytes.count > room
    }

    private func readErrors() throws(MediaError) {
        guard let bytes = Self.read(errors?.raw ?? -1) else {
            errors = nil
            return
        }
        tail = (tail + bytes).suffix(Self.tailLength)
    }

    /// Waits for a child that has closed its outputs, which it does by ending.
    private func reap() throws(MediaError) -> ChildProcess.Status {
        var status: Int32 = 0
        var pause: Int32 = 1
        while true {
            let waited = waitpid(process, &status, WNOHANG)
            if waited == process { break }
            if waited < 0, errno != EINTR {
                hasEnded = true
                throw MediaError(.failed, "The end of \(child.name) was not told; try again.")
            }
            guard deadline > .now else { throw timedOut() }
            var polled = pollfd(fd: alarm.readEnd.raw, events: Int16(POLLIN), revents: 0)
            _ = poll(&polled, 1, pause)
            if polled.revents != 0 { throw Self.cancelled() }
            pause = min(pause * 2, 50)
        }
        hasEnded = true
        let signal = Int(status & 0x7f)
        return signal == 0 ? .exited(Int(status >> 8 & 0xff)) : .killed(bySignal: signal)
    }

    private func timedOut() -> MediaError {
        MediaError(
            .timedOut,
            "\(child.name) did not end within \(child.limits.wallClock) and was stopped; try again."
        )
    }

    private static func cancelled() -> MediaError {
        MediaError(.cancelled, "The work was cancelled.")
    }
}

extension ChildRun {
    private static func start(
        _ child: ChildProcess,
        input: Pipe,
        output: Pipe,
        errors: Pipe
    ) throws(MediaError) -> pid_t {
        var limits = tidings_child_limits(
            cpu_seconds: UInt64(child.limits.cpuSeconds),
            memory_bytes: UInt64(child.limits.memoryBytes),
            file_bytes: UInt64(child.limits.fileBytes),
            open_files: 64
        )
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"]
        let arguments = CStrings([child.executable] + child.arguments)
        let variables = CStrings(environment)
        var process: pid_t = -1
        let failure = withExtendedLifetime((input, output, errors, arguments, variables)) {
            tidings_child_start(
                child.executable,
                arguments.pointers,
                variables.pointers,
                child.directory,
                input.readEnd.raw,
                output.writeEnd.raw,
                errors.writeEnd.raw,
                &limits,
                &process
            )
        }
        guard failure == 0 else {
            throw MediaError(
                failure == ENOENT || failure == EACCES ? .toolMissing : .failed,
                "\(child.name) cannot be started (\(String(cString: strerror(failure))))."
            )
        }
        return process
    }

    private static func killAndReap(_ process: pid_t) {
        // It leads a session and so a group of its own, which has its number.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }

    private static func blockPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Returns nil at the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            var got: Int
            repeat {
                got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while got < 0 && errno == EINTR
            count = max(got, 0)
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func printable(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let scalars = text.unicodeScalars.map { scalar in
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
            return isControl ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// Strings as C takes them: an array of pointers with nil at its end.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        pointers.initialize(repeating: nil, count: count + 1)
        for (index, string) in strings.enumerated() { pointers[index] = strdup(string) }
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
