// SPDX-License-Identifier: Apache-2.0

/// The places in a chain of frame records where callers are missing, because a function keeps no
/// record: its caller's record follows it in the chain, or none.
struct StackGaps {
    private enum Record {
        case kept, missing
        /// The function is the first one of its thread.
        case unnecessary
        /// The tables of the file are not available.
        case unknown
    }

    private let candidates: [UInt64]
    private let images: ImageList
    private let rules: (any UnwindRules)?
    private let architecture: RawCapture.Architecture?

    init(_ capture: RawCapture, images: ImageList, rules: (any UnwindRules)?) {
        candidates = capture.candidates
        self.images = images
        self.rules = rules
        architecture = capture.architecture
    }

    /// Returns the possible calls between the last call of a list and the next one in the chain.
    func calls(between calls: [CrashStack.Call], and next: CrashStack.Call) -> [CrashStack.Call] {
        guard let last = calls.last else { return [] }
        let record = record(of: last)
        switch record {
        case .kept, .unnecessary: return []
        // The C library keeps no frame pointers: its functions and their caller leave only return
        // addresses on the stack.
        case .unknown where last.kind != .counter || !images.isWithoutFrames(at: last.address):
            return []
        case .missing, .unknown:
            let found = candidates(behind: last).prefix { $0 != next.address }
            return named(CrashStack.scanned(found), record)
        }
    }

    /// Returns the possible calls behind the last call of a list, at which the chain ends.
    func calls(behind calls: [CrashStack.Call]) -> [CrashStack.Call] {
        guard let last = calls.last, last.kind != .resumption else { return [] }
        let record = record(of: last)
        switch record {
        case .unnecessary: return []
        // Every chain ends in the C library, at the first function of the thread.
        case .unknown where last.kind != .counter && images.isWithoutFrames(at: last.address):
            return []
        case .kept, .missing, .unknown:
            return named(CrashStack.scanned(candidates(behind: last)), record)
        }
    }

    /// Returns the calls, or the name of the gap if it is certain that callers are missing.
    private func named(_ calls: [CrashStack.Call], _ record: Record) -> [CrashStack.Call] {
        calls.isEmpty && record == .missing ? [.missing] : calls
    }

    /// Returns the candidates behind a call; none if it is not one of them.
    private func candidates(behind call: CrashStack.Call) -> ArraySlice<UInt64> {
        guard call.kind != .counter else { return candidates[...] }
        return candidates.firstIndex(of: call.address).map { candidates[($0 + 1)...] } ?? []
    }

    private func record(of call: CrashStack.Call) -> Record {
        guard let rules, let architecture else { return .unknown }
        do {
            let instruction = call.kind == .counter ? call.address : call.address &- 1
            guard let rule = try rules.rule(at: instruction) else { return .missing }
            if rule.isFirst { return .unnecessary }
            return rule.keepsFrameRecord(architecture) ? .kept : .missing
        } catch .unavailable {
            return .unknown
        } catch {
            return .missing
        }
    }
}
