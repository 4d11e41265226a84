import BinnacleDaemon
import LinuxIO

extension Configuration {
  /// Reads the configuration file.
  /// - Parameter path: As named on the command line; `nil` for the default, which may be missing.
  static func read(_ path: String?) throws(CommandError) -> Configuration {
    guard path != nil || fileExists(defaultPath) else { return Configuration() }
    let path = path ?? defaultPath
    guard let text = smallFile(path, byteLimit: INIFile.byteCountMax + 1) else {
      throw .failed("\(path): cannot be read; check that it exists and who may read it")
    }
    do throws(ConfigurationError) {
      return try Configuration(text, path: path)
    } catch {
      throw .failed(error.message)
    }
  }
}
