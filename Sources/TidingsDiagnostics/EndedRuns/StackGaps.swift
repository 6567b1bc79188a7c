// SPDX-License-Identifier: Apache-2.0

/// The places in a chain of frame records where callers are missing.
///
/// Callers are missing behind a function without a frame record. The chain continues with the
/// record of the function's caller, or the chain ends.
struct StackGaps {
    private enum Record {
        case kept, missing
        /// The function is the first function of the thread.
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

    /// Returns the possible calls between the last call of a list and the next call in the chain.
    func calls(between calls: [CrashStack.Call], and next: CrashStack.Call) -> [CrashStack.Call] {
        guard let last = calls.last else { return [] }
        let record = record(of: last)
        switch record {
        case .kept, .unnecessary: return []
        // The C library keeps no frame pointers. A function of the C library and the caller of the
        // function leave only return addresses on the stack.
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

    /// Returns the calls, or the name of the gap if callers are certainly missing.
    private func named(_ calls: [CrashStack.Call], _ record: Record) -> [CrashStack.Call] {
        calls.isEmpty && record == .missing ? [.missing] : calls
    }

    /// Returns the candidates behind a call, or none if the call is not a candidate.
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
