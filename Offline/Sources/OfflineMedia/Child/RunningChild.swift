// SPDX-License-Identifier: Apache-2.0
import COfflineChild
import Glibc
import Tidings

/// One run of a program on one thread, from its start until it is reaped.
final class RunningChild {
    private let child: ChildProcess
    private let cancellation: ChildCancellation
    private let deadline: ContinuousClock.Instant
    private let process: pid_t
    private let wakePipe: Pipe
    /// A descriptor that becomes readable when the program exits, or nil on kernels without such
    /// descriptors.
    private let exit: OwnedDescriptor?
    private var output: OwnedDescriptor?
    private var errors: OwnedDescriptor?
    private var inputWriter: ChildInputWriter?
    private var result = ChildProcess.Result(status: .exited(0))
    private var errorTail: [UInt8] = []
    private var hasEnded = false

    private static let errorTailLength = 8192
    /// The pause in milliseconds between two looks at a program whose exit no descriptor shows.
    private static let exitInterval: Int32 = 200
    /// The number of reads that empty the pipes of an exited program, even if another program goes
    /// on writing.
    private static let lastReadLimit = 16

    /// Starts the program.
    init(_ child: ChildProcess, cancellation: ChildCancellation) throws(MediaError) {
        self.child = child
        self.cancellation = cancellation
        deadline = .now + child.limits.wallClock
        // If the child closes its input early, the write must fail instead of raising SIGPIPE.
        Self.blockPipeSignal()
        wakePipe = try Pipe()
        guard !cancellation.setWakeDescriptor(wakePipe.writeEnd.raw) else {
            _ = cancellation.setWakeDescriptor(nil)
            throw Self.cancelled()
        }
        do throws(MediaError) {
            let input = try Pipe()
            let output = try Pipe()
            let errors = try Pipe()
            process = try Self.start(child, input: input, output: output, errors: errors)
            let exit = offline_child_exit_descriptor(process)
            self.exit = exit < 0 ? nil : OwnedDescriptor(owning: exit)
            inputWriter = ChildInputWriter(child.input, into: input.writeEnd)
            self.output = output.readEnd
            self.errors = errors.readEnd
        } catch {
            _ = cancellation.setWakeDescriptor(nil)
            throw error
        }
    }

    deinit {
        // The pipe closes next, and a later `cancel` must not write to a reused descriptor.
        _ = cancellation.setWakeDescriptor(nil)
        if !hasEnded { Self.killAndReap(process) }
    }

    /// Writes the input, collects the output, and returns after the program is reaped.
    ///
    /// A program that the child started in the background may keep the outputs open. The method
    /// does not wait for such a program.
    func finish(
        progress: (Int64) -> Void
    ) throws(MediaError) -> ChildProcess.Result {
        var lastReads = 0
        while output != nil || errors != nil, lastReads < Self.lastReadLimit {
            // This check comes before the reads, so that none of the program's bytes are lost.
            let isOver = killRestAfterExit()
            let hasRead = try processEvents(progress: progress, waits: !isOver)
            if isOver { lastReads = hasRead ? lastReads + 1 : Self.lastReadLimit }
        }
        if inputWriter != nil { endInput() }
        result.status = try reap()
        result.errorTail = Self.printable(errorTail)
        return result
    }

    /// Waits for a ready pipe or for the exit, and then reads and writes the ready pipes.
    ///
    /// - Returns: Whether an output was ready.
    private func processEvents(
        progress: (Int64) -> Void,
        waits: Bool
    ) throws(MediaError) -> Bool {
        let events = try wait(
            output: output?.raw ?? -1,
            errors: errors?.raw ?? -1,
            input: inputWriter?.descriptor ?? -1,
            waits: waits
        )
        if events.output { try readOutput() }
        if events.errors { try readErrors() }
        let hasRead = events.output || events.errors
        guard events.input else { return hasRead }
        let before = result.consumedInputBytes
        switch try inputWriter?.writeAvailable() {
        case .wrote(let count)?: result.consumedInputBytes += Int64(count)
        case .finished?:
            result.inputContents = inputWriter?.contents ?? []
            inputWriter = nil
        case nil:
            break
        case .closed?:
            endInput()
        }
        if result.consumedInputBytes > before { progress(result.consumedInputBytes) }
        return hasRead
    }

    /// Ends the input before the child has read all of the input.
    private func endInput() {
        result.inputDamage = inputWriter?.damage
        result.consumedAllInput = false
        inputWriter = nil
    }

    private func wait(
        output: Int32,
        errors: Int32,
        input: Int32,
        waits: Bool
    ) throws(MediaError) -> (output: Bool, errors: Bool, input: Bool) {
        var polled = [
            pollfd(fd: wakePipe.readEnd.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: exit?.raw ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let left = max(deadline - .now, .zero) / .milliseconds(1)
        let longest = exit == nil ? Self.exitInterval : 3_600_000
        let pause = waits ? min(Int32(min(left + 1, 3_600_000)), longest) : 0
        let count = poll(&polled, 5, pause)
        if count < 0 { return (false, false, false) }
        if polled[0].revents != 0 { throw Self.cancelled() }
        if waits, deadline <= .now { throw timedOut() }
        return (polled[1].revents != 0, polled[2].revents != 0, polled[3].revents != 0)
    }

    private func readOutput() throws(MediaError) {
        guard let bytes = Self.read(output?.raw ?? -1) else {
            output = nil
            return
        }
        let room = child.limits.outputBytes - result.output.count
        result.output += bytes.prefix(room)
        result.isOutputTruncated = result.isOutputTruncated || bytes.count > room
    }

    private func readErrors() throws(MediaError) {
        guard let bytes = Self.read(errors?.raw ?? -1) else {
            errors = nil
            return
        }
        errorTail = (errorTail + bytes).suffix(Self.errorTailLength)
    }

    /// Waits for the end of a child that has closed the outputs.
    ///
    /// Usually the child has exited already.
    private func reap() throws(MediaError) -> ChildProcess.Status {
        var status: Int32 = 0
        var pause: Int32 = 1
        while true {
            killRestAfterExit()
            let waited = waitpid(process, &status, WNOHANG)
            if waited == process { break }
            if waited < 0, errno != EINTR {
                hasEnded = true
                throw MediaError(.failed, "The exit status of \(child.name) is lost. Try again.")
            }
            guard deadline > .now else { throw timedOut() }
            var polled = pollfd(fd: wakePipe.readEnd.raw, events: Int16(POLLIN), revents: 0)
            _ = poll(&polled, 1, pause)
            if polled.revents != 0 { throw Self.cancelled() }
            pause = min(pause * 2, 50)
        }
        hasEnded = true
        let signal = Int(status & 0x7f)
        return signal == 0 ? .exited(Int(status >> 8 & 0xff)) : .killed(bySignal: signal)
    }

    /// Kills the programs that a child has left behind.
    ///
    /// The process number of the child stays taken until the child is reaped.
    ///
    /// - Returns: Whether the child has exited.
    @discardableResult
    private func killRestAfterExit() -> Bool {
        var information = siginfo_t()
        let flags = WEXITED | WNOHANG | WNOWAIT
        guard waitid(P_PID, id_t(process), &information, flags) == 0,
            information.si_signo == SIGCHLD
        else { return false }
        kill(-process, SIGKILL)
        return true
    }

    private func timedOut() -> MediaError {
        MediaError(
            .timedOut,
            "\(child.name) did not finish within \(child.limits.wallClock) and was stopped. "
                + "Try again."
        )
    }

    private static func cancelled() -> MediaError {
        MediaError(.cancelled, "The operation was cancelled.")
    }
}

extension RunningChild {
    private static func start(
        _ child: ChildProcess,
        input: Pipe,
        output: Pipe,
        errors: Pipe
    ) throws(MediaError) -> pid_t {
        var limits = offline_child_limits(
            cpu_seconds: UInt64(child.limits.cpuSeconds),
            memory_bytes: UInt64(child.limits.memoryBytes),
            file_bytes: UInt64(child.limits.fileBytes),
            open_files: 64,
            network_port: UInt32(child.networkPort),
            keeps_network: child.keepsNetwork ? 1 : 0,
            niceness: Int32(child.niceness)
        )
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"] + child.variables
        let arguments = CStrings([child.executable] + child.arguments)
        let variables = CStrings(environment)
        var process: pid_t = -1
        let failure = withExtendedLifetime((input, output, errors, arguments, variables)) {
            offline_child_start(
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
                .toolMissing,
                "Cannot start \(child.name) (\(String(cString: strerror(failure)))). Try again."
            )
        }
        return process
    }

    private static func killAndReap(_ process: pid_t) {
        // The child leads a session and a process group with the identifier of the child.
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

    /// Returns the bytes of one read, or nil at the end of the input.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            var length: Int
            repeat {
                length = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while length < 0 && errno == EINTR
            count = max(length, 0)
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

/// C strings in a nil-terminated array of pointers.
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
