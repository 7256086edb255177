/** Two soft notes. Browsers that allow no sound before a touch stay silent. */
export function chime(): void {
  try {
    const audio = new AudioContext();
    for (const [index, pitch] of [523.25, 659.25].entries()) note(audio, pitch, index * 0.14);
    setTimeout(() => void audio.close(), 1200);
  } catch {
    // No sound here.
  }
}

function note(audio: AudioContext, pitch: number, after: number): void {
  const start = audio.currentTime + after;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.08, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.5);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.55);
}
