// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Foundation
import Runtime
import Synchronization
import Tidings
import TidingsDiagnostics

/// The calls that a program makes frequently.
final class RecordingSubjects {
    private struct Failure: Error {
        let film = 12
    }

    /// A message that shows its content with a custom description.
    private struct FilmMuxed: Message, CustomStringConvertible {
        static var tracing: MessageTracing { .described }
        let film: Int
        var description: String { "film \(film) in mp4" }
    }

    /// A message whose content the standard library finds by reflection.
    private struct FilmKept: Message {
        static var tracing: MessageTracing { .described }
        let film: Int
        let container: String
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

    /// The additional nanoseconds of a post that a reporter follows.
    func followTime(reflecting: Bool) -> Double {
        let center = MessageCenter()
        reporter.follow(center)
        let other = MessageCenter()
        let times =
            reflecting
            ? Comparison(
                posts(on: center) { FilmKept(film: $0, container: "mp4") },
                with: posts(on: other) { FilmKept(film: $0, container: "mp4") }
            )
            : Comparison(
                posts(on: center) { FilmMuxed(film: $0) },
                with: posts(on: other) { FilmMuxed(film: $0) }
            )
        return times.subject - times.reference
    }

    private func posts<M: Message>(
        on center: MessageCenter,
        _ message: @escaping (Int) -> M
    ) -> Subject {
        let observation = center.observe(M.self) { _ in }
        return Subject("post") { count in
            for number in 0..<count { center.post(message(number)) }
            withExtendedLifetime(observation) {}
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
