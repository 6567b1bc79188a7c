// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsFiles

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct ReporterStoreTests {
    private let place: TemporaryFolder
    private let store: ReporterStore

    init() throws {
        place = try TemporaryFolder()
        store = ReporterStore(directory: place.path)
    }

    private static func loss(_ quantity: Int = 1) -> ReportLoss {
        ReportLoss(reason: .refused, category: .error, quantity: quantity)
    }

    private var file: URL { URL(filePath: "\(place.path)/state.json") }

    @Test func r13_consentIsUnknownUntilItIsSetAndPersists() throws {
        #expect(store.state.consent == .unknown)
        store.update { $0.consent = .given }
        #expect(ReporterStore(directory: place.path).state.consent == .given)
        let rights = try FileManager.default.attributesOfItem(atPath: file.path())
        #expect(rights[.posixPermissions] as? Int == 0o600)
        #expect(place.names == ["state.json", "state.lock"])
    }

    @Test func aFileDamagedAtAnyByteIsMovedAsideAndTheStateStartsOver() throws {
        store.update { state in
            state.consent = .given
            state.count(Self.loss())
        }
        let whole = try Data(contentsOf: file)
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: file)
            #expect(store.state == ReporterState())
            store.update { $0.failedStarts = 1 }
            #expect(store.state.failedStarts == 1 && store.state.consent == .unknown)
            #expect(try Data(contentsOf: URL(filePath: "\(file.path()).damaged")).count == length)
        }
    }

    @Test func aKilledWritersFileIsIgnored() throws {
        store.update { $0.consent = .given }
        try Data(#"{"consent": "revo"#.utf8).write(to: URL(filePath: "\(file.path()).part"))
        #expect(store.state.consent == .given)
        store.update { $0.failedStarts = 1 }
        #expect(ReporterStore(directory: place.path).state.failedStarts == 1)
        #expect(store.state.consent == .given)
        #expect(place.names == ["state.json", "state.lock"])
    }

    @Test func aProcessThatIsKilledLeavesTheOldOrTheNewState() async {
        for count in 1...8 {
            let before = store.state.failedStarts
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = place.path as String, count = count as Int] in
                let store = ReporterStore(directory: path)
                for number in 1...1_000 {
                    if number == count * 3 {
                        // Another thread sends the signal, so the next change may have started.
                        Thread.detachNewThread { kill(getpid(), SIGKILL) }
                    }
                    store.update { state in
                        state.failedStarts += 1
                        state.consent = .given
                    }
                }
                while true { pause() }
            }
            #expect(store.state.failedStarts >= before + count * 3 - 1)
            #expect(store.state.consent == .given)
        }
    }

    @Test(arguments: [2, 10])
    func r9_processesShareOneStateAndNoChangeIsLost(_ count: Int) async {
        await withTaskGroup { group in
            for _ in 1...count {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = place.path as String] in
                        let store = ReporterStore(directory: path)
                        // On a slow disk, ten processes hold the lock for longer than the limit.
                        for _ in 1...10 {
                            store.update(within: .seconds(200)) { $0.count(Self.loss()) }
                        }
                    }
                }
            }
        }
        #expect(store.state.losses == [Self.loss(count * 10)])
    }

    @Test func r16_anUnwrittenChangeAppliesHereAndIsWrittenLater() async {
        await #expect(processExitsWith: .success) { [path = place.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let store = ReporterStore(directory: path)
            store.update { $0.consent = .given }
            try limitFiles(to: 20)
            store.update { $0.consent = .revoked }
            for _ in 1...3 { store.update { $0.count(Self.loss()) } }
            let other = ReporterStore(directory: path)
            guard store.state.consent == .revoked, store.state.losses == [Self.loss(3)] else {
                exit(1)
            }
            guard other.state.consent == .given, other.state.losses.isEmpty else { exit(2) }
            try limitFiles(to: 1 << 20)
            store.update { $0.count(Self.loss()) }
            exit(other.state == store.state && other.state.losses == [Self.loss(4)] ? 0 : 3)
        }
    }

    /// Makes all writes fail, as on a full disk, until the returned closure is called.
    private func blockWriting() throws -> () throws -> Void {
        let part = place.path + "/state.json.part"
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
        return { try FileManager.default.removeItem(atPath: part) }
    }

    @Test func r13_unwrittenConsentDoesNotUndoALaterRevocation() throws {
        let (first, second) = (ReporterStore(directory: place.path), store)
        second.setConsent(.given)
        second.setConsent(.unknown)
        let unblock = try blockWriting()
        first.setConsent(.given)
        #expect(first.state.consent == .given && second.state.consent == .unknown)
        try unblock()
        second.setConsent(.given)
        second.setConsent(.revoked)
        #expect(first.state.consent == .revoked)
        first.update { $0.count(Self.loss()) }
        #expect(first.state.consent == .revoked && second.state.consent == .revoked)
        // A decision that is based on the revocation can give consent again.
        first.setConsent(.given)
        #expect(second.state.consent == .given)
    }

    @Test(arguments: [ReportConsent.given, .unknown])
    func r13_anUnwrittenRevocationOverridesLaterDecisions(
        _ consent: ReportConsent
    ) throws {
        let (first, second) = (ReporterStore(directory: place.path), store)
        let unblock = try blockWriting()
        first.setConsent(.given)
        first.setConsent(.revoked)
        try unblock()
        second.setConsent(consent)
        first.update { $0.count(Self.loss()) }
        #expect(first.state.consent == .revoked && second.state.consent == .revoked)
    }

    /// Sets the consent while another process holds the lock.
    ///
    /// The other process then writes the state that it has read.
    private func setConsent(
        _ consent: ReportConsent,
        whileAnotherWrites store: ReporterStore
    ) throws {
        let lock = try #require(try FileLock.tryAcquire("\(place.path)/state.lock"))
        let old = try Data(contentsOf: file)
        store.setConsent(consent)
        try old.write(to: file)
        lock.release()
    }

    @Test(arguments: [ReportConsent.revoked, .unknown])
    func r13_noWriterRestoresRevokedConsent(_ consent: ReportConsent) throws {
        let other = ReporterStore(directory: place.path)
        other.setConsent(.given)
        try setConsent(consent, whileAnotherWrites: store)
        #expect(store.state.consent != .given && other.state.consent == .revoked)
        other.update { $0.count(Self.loss()) }
        store.update { $0.count(Self.loss()) }
        #expect(store.state.consent != .given && other.state.consent != .given)
        // A later decision of the user takes effect.
        other.setConsent(.given)
        #expect(other.state.consent == .given && store.state.consent == .given)
        #expect(ReporterStore(directory: place.path).state.consent == .given)
        #expect(place.names == ["state.json", "state.lock"])
        store.setConsent(.unknown)
        #expect(other.state.consent == .unknown)
    }

    @Test func r13_aRevocationOutlivesTheStateFile() throws {
        store.setConsent(.given)
        store.setConsent(.revoked)
        try FileManager.default.removeItem(at: file)
        let other = ReporterStore(directory: place.path)
        #expect(other.state.consent == .revoked)
        // Unwritten consent does not end a revocation for other processes.
        let unblock = try blockWriting()
        store.setConsent(.given)
        #expect(other.state.consent == .revoked)
        try unblock()
        store.update { $0.count(Self.loss()) }
        #expect(other.state.consent == .given)
    }

    @Test func unwrittenConsentIsWrittenLater() throws {
        let unblock = try blockWriting()
        store.setConsent(.given)
        try unblock()
        store.update { $0.count(Self.loss()) }
        #expect(ReporterStore(directory: place.path).state.consent == .given)
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func r16_aFullDiskKeepsTheState() throws {
        let disk = try SmallDisk()
        let store = ReporterStore(directory: disk.path)
        store.update { $0.consent = .given }
        for blocks in 0...3 {
            try disk.fill(leaving: blocks)
            store.update { $0.count(Self.loss()) }
            #expect(store.state.consent == .given && store.state.losses == [Self.loss(blocks + 1)])
        }
        try disk.empty()
        store.update { $0.count(Self.loss()) }
        #expect(ReporterStore(directory: disk.path).state.losses == [Self.loss(5)])
    }
    #endif

    @Test func withoutAWritableFolderTheStateAppliesToThisProcess() {
        let store = ReporterStore(directory: "/proc/nowhere")
        store.update { $0.consent = .revoked }
        #expect(store.state.consent == .revoked)
    }
}
