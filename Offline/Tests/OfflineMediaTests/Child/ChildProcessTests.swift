// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import OfflineTestFixtures
import Testing
import Tidings

@testable import OfflineMedia

@Suite(.timeLimit(.minutes(15)))
struct ChildProcessTests {
    private let folder: MediaFolder

    init() throws {
        folder = try MediaFolder()
    }

    private func shell(
        _ script: String,
        input: ChildProcess.Input = .none,
        change: (inout ChildProcess.Limits) -> Void = { _ in }
    ) -> ChildProcess {
        var limits = ChildProcess.Limits()
        change(&limits)
        return ChildProcess(
            executable: "/bin/sh",
            arguments: ["-c", script],
            directory: folder.path,
            input: input,
            limits: limits
        )
    }

    private func text(_ result: ChildProcess.Result) -> String {
        String(decoding: result.output, as: UTF8.self)
    }

    @Test func statusAndOutputAreReturned() async throws {
        let result = try await shell("echo out; echo 'err\u{1b}[31m' >&2; exit 3").run()
        #expect(result.status == .exited(3))
        #expect(text(result) == "out\n")
        #expect(result.errorTail == "err [31m\n")
        let killed = try await shell("kill -USR1 $$").run()
        #expect(killed.status == .killed(bySignal: Int(SIGUSR1)))
    }

    @Test func nothingIsInherited() async throws {
        let secret = open("/etc/hostname", O_RDONLY)
        defer { close(secret) }
        let child = ChildProcess(executable: "/usr/bin/env", arguments: [])
        #expect(
            text(try await child.run()) == "PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C\n"
        )
        let script = "for d in /proc/self/fd/*; do echo ${d##*/}; done; pwd; cat"
        let open = try await shell(script).run()
        // Descriptor 3 is the folder that the shell lists.
        #expect(text(open) == "0\n1\n2\n3\n\(folder.path)\n")
    }

    @Test func o30_aProgramCanStepBackForOthers() async throws {
        var child = shell("cut -d ' ' -f 19 /proc/$$/stat")
        let usual = try #require(Int(text(try await child.run()).dropLast()))
        child.niceness = ChildProcess.lowestPriority
        #expect(text(try await child.run()) == "19\n")
        #expect(usual < 19)
    }

    @Test func argumentsReachTheProgramUnchanged() async throws {
        let arguments = ["-n", "a b", "$(id)", "", "*", "ü\n"]
        let child = ChildProcess(
            executable: "/usr/bin/printf",
            arguments: ["%s|"] + arguments
        )
        #expect(text(try await child.run()) == arguments.map { $0 + "|" }.joined())
    }

    @Test func filesAreWrittenInOrder() async throws {
        let first = [UInt8](repeating: 1, count: 3 << 20)
        let second = [UInt8](repeating: 2, count: 5)
        let files = [
            try folder.write(first, to: "1"), try folder.write([UInt8](), to: "2"),
            try folder.write(second, to: "3"),
        ]
        let result = try await shell("cat", input: .files(files)) { $0.outputBytes = 8 << 20 }.run()
        #expect(result.output == first + second)
        #expect(result.consumedInputBytes == Int64(first.count + second.count))
        #expect(result.consumedAllInput)
    }

    @Test func closingTheInputRaisesNoSignalInThisProcess() async throws {
        let file = try folder.write([UInt8](repeating: 1, count: 4 << 20), to: "1")
        let result = try await shell("exec head -c 10", input: .files([file])).run()
        #expect(result.status == .exited(0))
        #expect(result.output.count == 10)
        #expect(!result.consumedAllInput)
    }

    @Test func onlyTheBeginningOfTheOutputIsKept() async throws {
        let script = "head -c 3000000 /dev/zero; head -c 100000 /dev/zero >&2; echo end >&2"
        let result = try await shell(script) { $0.outputBytes = 1000 }.run()
        #expect(result.status == .exited(0))
        #expect(result.output.count == 1000)
        #expect(result.isOutputTruncated)
        #expect(result.errorTail.utf8.count <= 8192)
        #expect(result.errorTail.hasSuffix("end\n"))
    }

    @Test func o16_aProgramBeyondItsWallClockLimitIsStopped() async throws {
        let slow = shell("sleep 3600 & sleep 3600") { $0.wallClock = .milliseconds(200) }
        #expect(await mediaError { _ = try await slow.run() }?.code == .timedOut)
        let silent = shell("exec >&- 2>&-; sleep 3600") { $0.wallClock = .milliseconds(200) }
        #expect(await mediaError { _ = try await silent.run() }?.code == .timedOut)
    }

    @Test func o16_processorTimeIsLimited() async throws {
        let result = try await shell("while :; do :; done") { $0.cpuSeconds = 1 }.run()
        #expect(result.status == .killed(bySignal: Int(SIGKILL)))
    }

    @Test func o16_memoryIsLimited() async throws {
        let script = "exec dd if=/dev/zero of=/dev/null bs=1G count=1"
        let result = try await shell(script) { $0.memoryBytes = 256 << 20 }.run()
        #expect(result.status == .exited(1))
        #expect(result.errorTail.contains("memory"))
    }

    @Test func o16_fileSizeIsLimited() async throws {
        let script = "exec dd if=/dev/zero of=big bs=1M count=8"
        let result = try await shell(script) { $0.fileBytes = 1 << 20 }.run()
        #expect(result.status == .killed(bySignal: Int(SIGXFSZ)))
        #expect(try folder.bytes("big").count == 1 << 20)
    }

    @Test func cancellationKillsTheProgramAndItsChildren() async throws {
        let lifetime = try ProcessLifetimePipe(folder.file("life"))
        let script = "exec 3>life; echo x >&3; (sleep 3600); sleep 3600"
        let child = shell(script)
        let task = Task { _ = try await child.run() }
        #expect(await lifetime.waitForStart())
        task.cancel()
        #expect(await mediaError { try await task.value }?.code == .cancelled)
        #expect(await lifetime.waitForExit())
    }

    @Test func o27_aProgramLeavesNoOtherBehind() async throws {
        let lifetime = try ProcessLifetimePipe(folder.file("life"))
        let script = "exec 3>life; echo x >&3; sleep 3600 >/dev/null 2>&1 & exit 0"
        #expect(try await shell(script).run().status == .exited(0))
        #expect(await lifetime.waitForExit())
    }

    @Test(arguments: ["sleep 3600 &", "setsid sleep 3600 &"])
    func aProgramEndsBeforeTheOnesInItsBackground(background: String) async throws {
        let child = shell("\(background) echo out; exit 3") { $0.wallClock = .seconds(150) }
        let result = try await child.run()
        #expect(result.status == .exited(3))
        #expect(text(result) == "out\n")
    }

    @Test func aCancelledTaskStartsNothing() async throws {
        let child = shell("touch started")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await child.run()
        }
        #expect(await mediaError { try await task.value }?.code == .cancelled)
        #expect(!folder.has("started"))
    }

    @Test func o16_theProgramDiesWithThisProcess() async throws {
        let path = folder.file("life")
        let lifetime = try ProcessLifetimePipe(path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let started = try ProcessLifetimePipe(path + ".started")
            let child = ChildProcess(
                executable: "/bin/sh",
                arguments: ["-c", "exec 3>\(path); echo x >\(path).started; exec sleep 3600"]
            )
            async let running = child.run()
            if await started.waitForStart() { kill(getpid(), SIGKILL) }
            _ = try await running
        }
        #expect(await lifetime.waitForExit())
    }

    @Test func aMissingProgramThrows() async {
        let child = ChildProcess(executable: "/nowhere/tool", arguments: [])
        #expect(await mediaError { _ = try await child.run() }?.code == .toolMissing)
        let folder = ChildProcess(executable: "/bin/sh", arguments: [], directory: "/nowhere")
        #expect(await mediaError { _ = try await folder.run() } != nil)
    }
}
