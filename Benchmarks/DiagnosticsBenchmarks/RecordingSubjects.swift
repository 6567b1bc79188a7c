// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation
import Runtime
import Synchronization
import TidingsDiagnostics

/// The calls that a program makes frequently.
final class RecordingSubjects {
    private struct Failure: Error {
        let film = 12
    }

    private static let text = "muxing of film 12 has started"
    private static let textLimit = 64 << 10

    let reporter: CrashReporter
    private let appended = Mutex<[UInt8]>([])
    private let images = ImageMap.capture()

    init(in folder: String) throws {
        reporter = try CrashReporter.start(in: folder, .errorsOnly)
    }

    var breadcrumbs: Subject {
        Subject("breadcrumb") { [reporter] count in
            for _ in 0..<count { reporter.log(Self.text) }
        }
    }

    var bytes: Subject {
        Subject("date and text of a breadcrumb appended under a lock") { [self] count in
            for _ in 0..<count {
                let date = Date().timeIntervalSinceReferenceDate.bitPattern
                appended.withLock { bytes in
                    if bytes.count > Self.textLimit { bytes.removeAll(keepingCapacity: true) }
                    withUnsafeBytes(of: date) { bytes.append(contentsOf: $0) }
                    bytes.append(contentsOf: Self.text.utf8)
                }
            }
        }
    }

    var errors: Subject {
        Subject("record an error") { [reporter] count in
            for number in 0..<count {
                reporter.record(Failure(), context: ["attempt": .integer(number)])
            }
        }
    }

    var backtraces: Subject {
        Subject("backtrace with a cached image map") { [images] count in
            for _ in 0..<count { _ = try? Backtrace.capture(images: images) }
        }
    }
}
